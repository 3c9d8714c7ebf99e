import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { byOnset, findingMark, findingTitle, neighbour } from "./finding-words.ts";

const finding = (given: Partial<Finding>): Finding => ({
  id: "f1",
  fingerprint: "p",
  detector: "d",
  version: 1,
  attempt: "a1",
  metric: "loss",
  subject: { kind: "run", id: "r" },
  severity: "critical",
  state: "shifted",
  onsetStep: 100,
  onsetLowerStep: null,
  detectedStep: null,
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
  ...given,
});

const DEVIATES: Finding["facts"] = [{ fact: "rank-deviates", value: 7 }];
const FALLEN: Finding["facts"] = [{ fact: "gpu-error", value: 79 }];

describe("a finding in the rail", () => {
  it.each([
    [{}, "Loss shifted, not recovered", "critical"],
    [{ state: "recovered", severity: "warning" }, "Loss spike recovered", "ok"],
    [{ state: "recovered", severity: "info", shape: "point" }, "Loss, one-step outlier", "info"],
    [{ state: "non-finite", metric: "grad_norm" }, "Gradient norm not finite", "critical"],
    [{ state: "ongoing", severity: "warning", subject: { kind: "logger", id: "l" } }, "Logger may hide NaN", "warning"],
    [
      {
        subject: { kind: "rank", id: "21" },
        metric: "grad_norm",
        place: { rank: 21, gpuId: null, nodeId: null, host: "c11-n07" },
        facts: DEVIATES,
        state: "ongoing",
      },
      "Rank 21 (c11-n07) deviates in gradient norm",
      "critical",
    ],
    [
      {
        subject: { kind: "gpu", id: "GPU-9b1f04c7-5e2a" },
        metric: "xid",
        facts: FALLEN,
        onsetStep: null,
        state: "ongoing",
      },
      "XID 79 (GPU has fallen off the bus) on GPU-9b1f…",
      "critical",
    ],
    [{ metric: "heartbeat", state: "stalled", summary: "No step for 61 s: 3 ranks are behind" }, "No step for 61 s", "critical"],
    [{ metric: "my/own", state: "shifted", summary: "" }, "my/own shifted, not recovered", "critical"],
  ] as const)("%j is titled %s and marked %s", (given, title, mark) => {
    expect(findingTitle(finding(given))).toBe(title);
    expect(findingMark(finding(given))).toBe(mark);
  });

  it("goes by onset with n and p, and stays at the ends", () => {
    const ordered = byOnset([
      finding({ id: "c", onsetStep: 300 }),
      finding({ id: "a", onsetStep: 100 }),
      finding({ id: "b", onsetStep: 200 }),
    ]);
    expect(ordered.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(neighbour(ordered, undefined, 1)?.id).toBe("a");
    expect(neighbour(ordered, undefined, -1)?.id).toBe("c");
    expect(neighbour(ordered, "a", 1)?.id).toBe("b");
    expect(neighbour(ordered, "c", 1)?.id).toBe("c");
    expect(neighbour([], "a", 1)).toBeUndefined();
  });
});
