import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { laneMetrics, laneSpecs } from "./lane-specs.ts";

const finding = (metric: string, kind: Finding["subject"]["kind"] = "run"): Finding => ({
  id: metric,
  fingerprint: metric,
  detector: "d",
  version: 1,
  attempt: "a1",
  metric,
  subject: { kind, id: "x" },
  severity: "warning",
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
  facts: [],
});

describe("lanes beside a fault", () => {
  it("puts the lead on top, then what else is accused, then the usual companions, each once", () => {
    const lead = finding("reward");
    expect(laneMetrics([finding("kl"), lead, finding("loss")], lead)).toEqual([
      "reward",
      "kl",
      "loss",
      "grad_norm",
      "learning_rate",
      "step_time",
      "tokens_per_second",
    ]);
  });

  it("draws those that have points, at most four, and keeps a lane of an accused metric without any", () => {
    const metrics = ["reward", "kl", "loss", "grad_norm", "learning_rate", "step_time"];
    const specs = laneSpecs(metrics, new Set(["kl", "grad_norm", "learning_rate", "step_time"]), [finding("reward")]);
    expect(specs.map(({ metric }) => metric)).toEqual(["reward", "kl", "grad_norm", "learning_rate"]);
    expect(specs.map(({ scale }) => scale)).toEqual(["linear", "linear", "log", "log"]);
  });

  it("has no lane for what is an event or a field of the fleet, whoever it accuses", () => {
    const burst = finding("xid 63");
    const remap = finding("row remap pending", "gpu");
    const metrics = laneMetrics([burst, remap, finding("reward")], burst);
    expect(metrics.slice(0, 2)).toEqual(["reward", "loss"]);
    expect(laneSpecs(["xid 63", ...metrics], new Set(["loss"]), [burst, remap, finding("reward")]).map(({ metric }) => metric)).toEqual([
      "reward",
      "loss",
    ]);
  });
});
