import type { Cause, CauseAssessment, Replay } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aFinding } from "../advice-input.fixture.ts";
import { aCauseInput, aReplay } from "./cause-input.fixture.ts";
import type { Said } from "./cause-input.fixture.ts";
import { FACTORS } from "./factors.ts";
import { hardwareShare, rankCauses } from "./rank-causes.ts";
import { PRIORS } from "./trouble.ts";
import type { Trouble } from "./trouble.ts";

const A = "gpu GPU-a@n1";
const B = "gpu GPU-b@n2";

describe("rankCauses", () => {
  it("does not guess at what it has no causes for", () => {
    const late = aFinding({ onsetStep: 10, metric: "checkpoint", detector: "checkpoint-late" });
    expect(rankCauses({ findings: [late], facts: [], replays: [] })).toEqual({ causes: [], word: "not settled", nextTest: null });
  });

  it("takes a step's outlier beside a fault that lasts for no sign that it was one step, and a crowd's ranks for no suspects", () => {
    const lasting = aFinding({ onsetStep: 48_210 });
    const outlier = aFinding({
      onsetStep: 48_209,
      metric: "grad_norm",
      severity: "info",
      shape: "point",
      facts: [{ fact: "single-step", value: 1 }],
    });
    const crowd = [1, 2, 3].map((rank) =>
      aFinding({
        onsetStep: 48_210 + rank,
        metric: "grad_norm",
        severity: "info",
        subject: { kind: "rank", id: String(rank) },
        facts: [
          { fact: "rank-deviates", value: 9 },
          { fact: "all-ranks-move", value: 0.03 },
        ],
      }),
    );
    const base = rankCauses({ findings: [lasting], facts: [], replays: [] });
    expect(rankCauses({ findings: [lasting, outlier, ...crowd], facts: [], replays: [] })).toEqual(base);
  });

  it("has what speaks for and against each cause, with sources", () => {
    const { causes } = rankCauses(
      aCauseInput("learning", [
        ["rank-deviates", 4, A],
        ["batch-spiked-elsewhere", 2],
      ]),
    );
    const factsOf = (wanted: Cause): readonly (readonly [string, boolean])[] =>
      causes
        .filter(({ cause }) => cause === wanted)
        .flatMap(({ facts }) => facts.map(({ text, logBayesFactor }) => [text, logBayesFactor > 0] as const));
    expect(factsOf("hardware")).toEqual([
      ["GPU-a alone deviates from its cohort, on 4 different batches", true],
      ["the batch was an outlier in 2 other runs or epochs as well", false],
    ]);
    expect(factsOf("data")).toEqual([["the batch was an outlier in 2 other runs or epochs as well", true]]);
    expect(causes.every(({ facts }) => facts.every(({ source }) => source.length > 0))).toBe(true);
  });

  it("counts facts of one origin once: a dead GPU's XIDs, its memory errors and its silence are one piece of evidence", () => {
    const one = rankCauses(aCauseInput("stopped", [["gpu-error", 79, A]]));
    const many = rankCauses(
      aCauseInput("stopped", [
        ["gpu-error", 79, A],
        ["gpu-error", 48, A],
        ["node-memory-error", 0, "node n1@n1"],
        ["gpu-lost", null, A],
      ]),
    );
    expect(many.causes[0]?.share).toBeCloseTo(one.causes[0]?.share ?? 0, 9);
    expect(many.causes[0]?.facts.filter(({ logBayesFactor }) => logBayesFactor > 0)).toHaveLength(1);
    expect(many.causes[0]?.facts.filter(({ text }) => text.includes("counted with another fact"))).toHaveLength(3);
  });

  it("keeps one node's evidence off another node's GPU", () => {
    const own = rankCauses(
      aCauseInput("learning", [
        ["rank-deviates", 4, A],
        ["node-memory-error", 1, "node n1@n1"],
      ]),
    );
    const foreign = rankCauses(
      aCauseInput("learning", [
        ["rank-deviates", 4, A],
        ["node-memory-error", 1, "node n2@n2"],
      ]),
    );
    expect(hardwareShare(own)).toBeGreaterThan(hardwareShare(foreign));
    expect(foreign.causes.filter(({ cause }) => cause === "hardware").map(({ subjectId }) => subjectId)).toEqual(["GPU-a", "n2"]);
  });
});

describe("replays, the two kinds kept apart (B.6)", () => {
  const suspected: readonly Said[] = [["rank-deviates", 4, A]];
  const after = (replays: readonly Replay[]): number => hardwareShare(rankCauses(aCauseInput("learning", suspected, replays)));

  it("says how far suspicion fell after re-runs that agreed, and never that a device is cleared", () => {
    const { causes } = rankCauses(aCauseInput("learning", suspected, [aReplay({ runs: 10, gpuId: "GPU-a", nodeId: "n1" })]));
    expect(causes[0]?.facts.map(({ text }) => text)).toContain("10 runs on GPU-a agreed; suspicion fell from 66 % to 42 %");
    expect(JSON.stringify(causes)).not.toMatch(/clear/i);
  });

  it("adds re-runs of one device up, and a hundred of them leave the base rate of hardware", () => {
    const few = after([aReplay({ runs: 4, gpuId: "GPU-a" }), aReplay({ runs: 6, gpuId: "GPU-a" })]);
    expect(few).toBeCloseTo(after([aReplay({ runs: 10, gpuId: "GPU-a" })]), 9);
    expect(after([aReplay({ runs: 100_000, gpuId: "GPU-a" })])).toBeCloseTo(PRIORS.learning.hardware, 6);
  });

  it("keeps what is known of a suspect's node where a replay names the GPU only", () => {
    const said: readonly Said[] = [...suspected, ["node-memory-error", 1, "node n1@n1"]];
    const shareAfter = (replay: Replay): number => hardwareShare(rankCauses(aCauseInput("learning", said, [replay])));
    expect(shareAfter(aReplay({ runs: 1, gpuId: "GPU-a" }))).toBeCloseTo(shareAfter(aReplay({ runs: 1, gpuId: "GPU-a", nodeId: "n1" })), 9);
  });

  it("lets re-runs of another device say nothing of the suspect", () => {
    expect(after([aReplay({ runs: 50, gpuId: "GPU-z", nodeId: "n9" })])).toBeCloseTo(after([]), 9);
  });

  it("waits for a third replay where two of one step contradict each other, and then goes with the majority", () => {
    const elsewhere = (outcome: Replay["outcome"]): Replay => aReplay({ kind: "step-elsewhere", outcome });
    expect(after([elsewhere("agreed"), elsewhere("disagreed")])).toBeCloseTo(after([]), 9);
    expect(after([elsewhere("agreed"), elsewhere("disagreed"), elsewhere("disagreed")])).toBeGreaterThan(0.99);
    expect(after([elsewhere("agreed"), elsewhere("agreed"), elsewhere("disagreed")])).toBeLessThan(after([]));
  });
});

const saidArbitrary: fc.Arbitrary<Said> = fc.oneof(
  fc.tuple(
    fc.constantFrom("rank-deviates", "gpu-lost", "throttled", "hot", "rank-compute-slow", "recompute-mismatch"),
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom(A, B, "gpu GPU-c@n1", "rank 4"),
  ),
  fc.tuple(
    fc.constantFrom("node-memory-error", "node-lost", "node-flagged-before", "node-age", "node-compute-slow"),
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom("node n1@n1", "node n2@n2", "node n3@n3"),
  ),
  fc.tuple(fc.constant("gpu-error" as const), fc.constantFrom(13, 31, 43, 45, 48, 74, 79, 999), fc.constantFrom(A, B)),
  fc.tuple(
    fc.constantFrom(
      "single-step",
      "batch-spiked-elsewhere",
      "same-step-again",
      "norm-led-loss",
      "after-resume",
      "learning-rate-off",
      "all-ranks-move",
      "sequence-load-correlates",
      "data-wait",
      "transfer-slow",
      "non-finite",
    ),
    fc.constantFrom(1, 2, 50),
  ),
);
const troubleArbitrary = fc.constantFrom<Trouble>("learning", "stopped", "slow", "device");

describe("rankCauses over any facts", () => {
  it("gives shares that add up to 1, largest first, in an order of facts that does not matter, each time the same", () => {
    fc.assert(
      fc.property(troubleArbitrary, fc.array(saidArbitrary, { maxLength: 10 }), fc.integer(), (trouble, facts, seed) => {
        const assessment = rankCauses(aCauseInput(trouble, facts));
        const shares = assessment.causes.map(({ share }) => share);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        expect(shares).toEqual([...shares].sort((a, b) => b - a));
        const shuffled = [...facts].sort((a, b) => hash(JSON.stringify(a), seed) - hash(JSON.stringify(b), seed));
        expect(rankCauses(aCauseInput(trouble, shuffled))).toEqual(assessment);
        expect(rankCauses(aCauseInput(trouble, [...facts, ...facts]))).toEqual(assessment);
      }),
      { numRuns: 200 },
    );
  });

  it("is never lowered in a cause by a fact that speaks for it", () => {
    const totals = ({ causes }: CauseAssessment): ReadonlyMap<Cause, number> => {
      const sums = new Map<Cause, number>();
      for (const { cause, share } of causes) sums.set(cause, (sums.get(cause) ?? 0) + share);
      return sums;
    };
    fc.assert(
      fc.property(troubleArbitrary, fc.array(saidArbitrary, { maxLength: 8 }), saidArbitrary, (trouble, facts, more) => {
        // From three on, nodes lost speak for what they share and no longer for themselves: the one fact that changes its meaning by its number.
        fc.pre(more[0] !== "node-lost");
        const [before, after] = [
          totals(rankCauses(aCauseInput(trouble, facts))),
          totals(rankCauses(aCauseInput(trouble, [...facts, more]))),
        ];
        for (const [cause, factor] of Object.entries(FACTORS[more[0]].factors(more[1] ?? null, trouble) ?? {})) {
          for (const [known, share] of before)
            if (known === cause && factor > 1) expect(after.get(known) ?? 0).toBeGreaterThanOrEqual(share - 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function hash(text: string, seed: number): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed);
}
