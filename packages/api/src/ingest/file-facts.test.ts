import type { Attempt } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { type AttemptSpan, fileFacts } from "./file-facts.ts";

const attempt = (name: string, parent: string | null, branchStep: number | null): Attempt => ({
  name,
  parent,
  branchStep,
  firstStep: (branchStep ?? 0) + 1,
  lastStep: 1000,
  origin: "first",
  question: null,
});
const attempts = [attempt("a1", null, null), attempt("a2", "a1", 500), attempt("a3", "a2", 700)];
const span = (name: string, firstStep: number, lastStep: number): AttemptSpan => ({
  attempt: name,
  firstStep,
  lastStep,
  firstMs: null,
  lastMs: null,
});

function filed(steps: readonly number[], spans: readonly AttemptSpan[], isNamed = false): readonly string[] {
  const checkpoints = steps.map((step) => ({
    step,
    kind: "model",
    path: null,
    state: "unchecked" as const,
    savedAtMs: null,
    reason: null,
  }));
  const found = fileFacts({ checkpoints, events: [], spans, attempts, current: "a3", isNamed });
  return found.flatMap((each) => each.checkpoints.map(({ step }) => `${each.attempt} ${step}`));
}

describe("what a push tells beside samples", () => {
  it.each<[string, readonly number[], readonly AttemptSpan[], readonly string[]]>([
    ["the attempt that has its step", [600, 900], [span("a1", 400, 700), span("a2", 800, 950)], ["a1 600", "a2 900"]],
    ["a later attempt once steps fall back", [600, 700, 600], [span("a1", 400, 700), span("a2", 501, 650)], ["a1 600", "a1 700", "a2 600"]],
    ["the last attempt below it, saved after its last point", [951], [span("a1", 400, 700), span("a2", 501, 950)], ["a2 951"]],
    ["the attempt that the push's points build on", [650, 450], [span("a3", 701, 710)], ["a2 650", "a1 450"]],
    ["the line that the run is on, without points", [800, 700, 500], [], ["a3 800", "a2 700", "a1 500"]],
  ])("is of %s", (_name, steps, spans, expected) => {
    expect(filed(steps, spans)).toEqual(expected);
  });

  it("is of the attempt that the source has named, whatever the step", () => {
    expect(filed([1, 900], [span("a1", 1, 10)], true)).toEqual(["a3 1", "a3 900"]);
  });

  it("that a launch begins is of that launch, though it names a step of the one before", () => {
    const events = [{ kind: "start", step: 500, timeMs: null, text: "resumed" }];
    expect(fileFacts({ checkpoints: [], events, spans: [span("a2", 501, 510)], attempts, current: "a2", isNamed: false })).toMatchObject([
      { attempt: "a2", events },
    ]);
  });
});
