import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { suspectRanks } from "./suspect-ranks.ts";

const finding = (id: string, over: Partial<Finding> = {}): Finding => ({
  id,
  fingerprint: id,
  detector: "rank-deviation",
  version: 1,
  attempt: "a1",
  metric: "grad_norm",
  subject: { kind: "rank", id },
  severity: "critical",
  state: "ongoing",
  onsetStep: 1,
  onsetLowerStep: null,
  detectedStep: 2,
  peakStep: null,
  endStep: null,
  onsetTimeMs: null,
  detectedTimeMs: null,
  shape: "jump",
  peakValue: null,
  baselineValue: null,
  levelShift: null,
  summary: "",
  evidence: [],
  endTimeMs: null,
  place: null,
  facts: [{ fact: "rank-deviates", value: 7 }],
  ...over,
});

describe("ranks drawn over their band", () => {
  it("are those that findings accuse, four at most, each once, in the metrics that accuse them", () => {
    const findings = ["37", "4", "37", "9", "12", "70"].map((rank, index) =>
      finding(`f${index}`, { subject: { kind: "rank", id: rank }, metric: index === 2 ? "loss" : "grad_norm" }),
    );
    expect(suspectRanks(findings)).toEqual({ ranks: ["37", "4", "9", "12"], metrics: ["grad_norm", "loss"], attempts: ["a1"] });
  });

  it("are none where only a run, a GPU or a note is spoken of", () => {
    const others = [
      finding("run", { subject: { kind: "run", id: "r" }, facts: [] }),
      finding("gpu", { subject: { kind: "gpu", id: "GPU-1" } }),
      finding("note", { severity: "info" }),
    ];
    expect(suspectRanks(others)).toBeNull();
  });
});
