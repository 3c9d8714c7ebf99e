import type { Replay } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { aCauseInput, aReplay } from "./cause-input.fixture.ts";
import type { Said } from "./cause-input.fixture.ts";
import { rankCauses } from "./rank-causes.ts";
import type { Trouble } from "./trouble.ts";

const A = "gpu GPU-a@n1";

describe("the next test", () => {
  const next = (trouble: Trouble, facts: readonly Said[] = [], replays: readonly Replay[] = []): string | null =>
    rankCauses(aCauseInput(trouble, facts, replays)).nextTest?.test ?? null;

  it.each<[string, Trouble, readonly Said[], readonly Replay[], RegExp | null]>([
    ["a spike of which nothing is known: the cheapest look first", "learning", [], [], /^Look for the batch in other runs/],
    [
      "a rank that deviates: replay elsewhere",
      "learning",
      [["rank-deviates", 3, A]],
      [],
      /^Replay the recorded step 48,210 on other nodes/,
    ],
    ["the same, replayed and alike", "learning", [["rank-deviates", 3, A]], [aReplay({ kind: "step-elsewhere" })], /^Look for the batch/],
    [
      "corruption that is proven and has no name",
      "learning",
      [],
      [aReplay({ kind: "step-elsewhere", outcome: "disagreed" })],
      /^Replay the step in groups of nodes/,
    ],
    ["corruption that is proven and has one", "learning", [["replica-hash-mismatch", 1, A]], [], null],
    ["a hang: dumps", "stopped", [], [], /flight-recorder dumps/],
    ["a hang after an XID 79: none is needed", "stopped", [["gpu-error", 79, A]], [], null],
    ["a slow run: times by operation", "slow", [], [], /by operation/],
    ["a page fault: another job", "device", [["gpu-error", 31, A]], [], /with another job/],
    [
      "nodes lost together: the network",
      "stopped",
      [
        ["node-lost", null, "node a@a"],
        ["node-lost", null, "node b@b"],
        ["node-lost", null, "node c@c"],
        ["ranks-behind", 3],
      ],
      [],
      /nccl-tests/,
    ],
  ])("%s", (_, trouble, facts, replays, expected) => {
    if (expected === null) expect(next(trouble, facts, replays)).toBeNull();
    else expect(next(trouble, facts, replays)).toMatch(expected);
  });

  it("says what each outcome would make of it", () => {
    expect(rankCauses(aCauseInput("learning", [["rank-deviates", 3, A]])).nextTest?.why).toBe(
      "if it disagrees: hardware 99 %; if it agrees: data 42 %",
    );
  });
});
