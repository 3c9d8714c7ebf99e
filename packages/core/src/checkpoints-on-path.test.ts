import type { Attempt, Checkpoint } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { checkpointsOnPath } from "./checkpoints-on-path.ts";

const attempt = (name: string, parent: string | null, branchStep: number | null): Attempt => ({
  name,
  parent,
  branchStep,
  firstStep: null,
  lastStep: null,
  origin: "first",
  question: null,
});
const checkpoint = (name: string, step: number): Checkpoint => ({
  attempt: name,
  step,
  kind: "model",
  path: null,
  state: "unchecked",
  savedAtMs: null,
  reason: null,
});
const steps = (found: readonly Checkpoint[]): readonly string[] => found.map(({ attempt: name, step }) => `${name}@${step}`);

describe("checkpointsOnPath", () => {
  const attempts = [attempt("a1", null, null), attempt("a2", "a1", 500), attempt("a3", "a2", 450), attempt("a4", "a2", 700)];
  const checkpoints = [
    checkpoint("a1", 400),
    checkpoint("a1", 500),
    checkpoint("a1", 600),
    checkpoint("a2", 600),
    checkpoint("a2", 800),
    checkpoint("a3", 480),
    checkpoint("a4", 900),
  ];

  it("takes an attempt's own checkpoints, and its ancestors' up to where the line branched off", () => {
    expect(steps(checkpointsOnPath(attempts, checkpoints, "a4"))).toEqual(["a1@400", "a1@500", "a2@600", "a4@900"]);
  });

  it("keeps the earliest branch: what a parent saved after a grandchild's branch is not on the line", () => {
    expect(steps(checkpointsOnPath(attempts, checkpoints, "a3"))).toEqual(["a1@400", "a3@480"]);
  });

  it("does not go back past a start from scratch", () => {
    expect(steps(checkpointsOnPath([attempt("a1", null, null), attempt("a2", "a1", null)], checkpoints, "a2"))).toEqual([
      "a2@600",
      "a2@800",
    ]);
  });

  it("ends on a chain of parents that is a circle", () => {
    expect(steps(checkpointsOnPath([attempt("a1", "a2", 450), attempt("a2", "a1", 700)], checkpoints, "a1"))).toEqual([
      "a1@400",
      "a1@500",
      "a1@600",
    ]);
  });

  it("finds nothing for an attempt that is not known", () => {
    expect(checkpointsOnPath(attempts, checkpoints, "a9")).toEqual([]);
  });
});
