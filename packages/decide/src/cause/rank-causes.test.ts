import { causeAssessmentSchema } from "@trainwatch/core";
import type { Cause, CauseAssessment, Replay } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aFinding } from "../advice-input.fixture.ts";
import { aCauseInput, aReplay, asFindings } from "./cause-input.fixture.ts";
import type { Said } from "./cause-input.fixture.ts";
import { FACTORS } from "./factors.ts";
import { hardwareShare, rankCauses } from "./rank-causes.ts";
import { PRIORS } from "./trouble.ts";
import type { Trouble } from "./trouble.ts";

interface Situation {
  readonly name: string;
  readonly trouble: Trouble;
  readonly facts: readonly Said[];
  readonly replays?: readonly Replay[];
  readonly cause: Cause;
  readonly whom?: string;
  readonly word: CauseAssessment["word"];
}

const A = "gpu GPU-a@n1";
const B = "gpu GPU-b@n2";

/** What the literature of detection.md A to E calls the cause; `word` is how sure it may be called on these facts alone. */
const SITUATIONS: readonly Situation[] = [
  // A: what the model learns
  { name: "a spike and nothing else known", trouble: "learning", facts: [], cause: "data", word: "not settled" },
  { name: "one step on every rank, as 68 of 73 public runs have on the same batches", trouble: "learning", facts: [["single-step", 1], ["all-ranks-move", 0.98]], cause: "data", word: "likely" },
  { name: "a batch that has spiked in another run", trouble: "learning", facts: [["batch-spiked-elsewhere", 1]], cause: "data", word: "strong" },
  { name: "the same, though one rank saw it most", trouble: "learning", facts: [["batch-spiked-elsewhere", 3], ["rank-deviates", 1, A]], cause: "data", word: "strong" },
  { name: "the same step again after a rollback (PaLM)", trouble: "learning", facts: [["same-step-again", 1]], cause: "data", word: "not settled" },
  { name: "the same step again, and attention logits above 1,000 (Kimi K2)", trouble: "learning", facts: [["same-step-again", 1], ["attention-logit-high", 1_400]], cause: "optimizer", word: "strong" },
  { name: "a norm that led by four steps and a loss scale at its floor (OPT-175B)", trouble: "learning", facts: [["norm-led-loss", 4], ["loss-scale-collapsed"], ["all-ranks-move", 1]], cause: "optimizer", word: "likely" },
  { name: "twenty steps after a resume (IDEFICS)", trouble: "learning", facts: [["after-resume", 20]], cause: "software", word: "not settled" },
  { name: "a learning rate off its schedule after a resume (IDEFICS)", trouble: "learning", facts: [["after-resume", 20], ["learning-rate-off", 2], ["all-ranks-move", 1]], cause: "software", word: "strong" },
  // B: silent corruption
  { name: "one rank on one batch: its micro-batch as well as its GPU", trouble: "learning", facts: [["rank-deviates", 1, A]], cause: "data", word: "not settled" },
  { name: "one rank on four batches", trouble: "learning", facts: [["rank-deviates", 4, A]], cause: "hardware", whom: "GPU-a", word: "not settled" },
  { name: "one rank on four batches, a remap on its node", trouble: "learning", facts: [["rank-deviates", 4, A], ["node-memory-error", 3, "node n1@n1"]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "one rank on four batches, its node a suspect before", trouble: "learning", facts: [["rank-deviates", 4, A], ["node-flagged-before", 1, "node n1@n1"]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "replicas that disagree, one against the others", trouble: "learning", facts: [["replica-hash-mismatch", 1, A]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "all replicas apart: a desync bug (BLOOM's layer norms)", trouble: "learning", facts: [["replica-hash-mismatch", 31]], cause: "software", word: "not settled" },
  { name: "a recompute that differs (12 of AEGIS's 18)", trouble: "learning", facts: [["recompute-mismatch", 1, A]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "the recorded step computed otherwise elsewhere", trouble: "learning", facts: [], replays: [aReplay({ kind: "step-elsewhere", outcome: "disagreed", gpuId: "GPU-a", nodeId: "n1" })], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "the recorded step computed alike elsewhere, though the rank deviates", trouble: "learning", facts: [["rank-deviates", 4, A]], replays: [aReplay({ kind: "step-elsewhere" })], cause: "data", word: "not settled" },
  { name: "a device that erred once in 50 re-runs (AEGIS)", trouble: "learning", facts: [], replays: [aReplay({ runs: 49, gpuId: "GPU-a" }), aReplay({ outcome: "disagreed", gpuId: "GPU-a" })], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "two ranks, one of them on a node with a memory error", trouble: "learning", facts: [["rank-deviates", 3, A], ["rank-deviates", 3, B], ["node-memory-error", 1, "node n2@n2"]], cause: "hardware", whom: "GPU-b", word: "likely" },
  // C.4, finding 7: a slow run
  { name: "a slow run and nothing else known", trouble: "slow", facts: [], cause: "last-stage", word: "not settled" },
  { name: "one rank that computes longer than its cohort", trouble: "slow", facts: [["rank-compute-slow", 1.3, A]], cause: "hardware", whom: "GPU-a", word: "likely" },
  { name: "the same with its clocks held down", trouble: "slow", facts: [["rank-compute-slow", 1.3, A], ["throttled", 0.4, A], ["hot", 14, A]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "all ranks of a node that compute longer", trouble: "slow", facts: [["node-compute-slow", 1.2, "node n1@n1"]], cause: "hardware", whom: "n1", word: "strong" },
  { name: "two GPUs of one node throttled: the node", trouble: "slow", facts: [["throttled", 0.3, A], ["throttled", 0.4, "gpu GPU-c@n1"], ["node-compute-slow", 1.2, "node n1@n1"]], cause: "hardware", whom: "n1", word: "strong" },
  { name: "a last stage that computes longer (39.3 % of ByteDance's slow jobs)", trouble: "slow", facts: [["last-stage-slow", 1.25, "stage 7"]], cause: "last-stage", whom: "7", word: "strong" },
  { name: "compute that follows the sequence lengths", trouble: "slow", facts: [["sequence-load-correlates", 0.96]], cause: "sequence-length", word: "strong" },
  { name: "the same, though one rank is the slowest: lengths and not the node (ByteDance)", trouble: "slow", facts: [["sequence-load-correlates", 0.96], ["rank-compute-slow", 1.2, A]], cause: "sequence-length", word: "strong" },
  { name: "an NVLink at 43 % of its peers", trouble: "slow", facts: [["link-slow", 0.43, "link GPU-a/link/5@n1"]], cause: "network", whom: "GPU-a/link/5", word: "likely" },
  { name: "transfers that take longer and a port with errors", trouble: "slow", facts: [["transfer-slow", 1.6], ["link-errors", 40, "port n1/port/mlx5_0:1@n1"]], cause: "network", whom: "n1/port/mlx5_0:1", word: "likely" },
  { name: "ranks that wait for data", trouble: "slow", facts: [["data-wait", 4]], cause: "data-loading", word: "strong" },
  // C.2, D.1: a run that stands
  { name: "a hang and nothing else known (21 of 26 are infrastructure)", trouble: "stopped", facts: [], cause: "hardware", word: "not settled" },
  { name: "a hang after an XID 79", trouble: "stopped", facts: [["gpu-error", 79, A], ["ranks-behind", 1, A]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "a hang after a port went down", trouble: "stopped", facts: [["link-down", null, "port n1/port/mlx5_0:1@n1"]], cause: "network", whom: "n1/port/mlx5_0:1", word: "strong" },
  { name: "a hang after an NVLink error, XID 74", trouble: "stopped", facts: [["gpu-error", 74, A]], cause: "network", whom: "GPU-a", word: "strong" },
  { name: "an illegal access on most nodes at once: the application", trouble: "stopped", facts: [["gpu-error", 31, A], ["same-error-on-most-nodes", 0.7]], cause: "software", word: "strong" },
  { name: "a node from which nothing comes", trouble: "stopped", facts: [["node-lost", null, "node n1@n1"]], cause: "hardware", whom: "n1", word: "strong" },
  { name: "forty nodes from which nothing comes: what they share", trouble: "stopped", facts: Array.from({ length: 40 }, (_, index): Said => ["node-lost", null, `node n${index}@n${index}`]), cause: "network", word: "not settled" },
  { name: "a rank that waits for its data loader", trouble: "stopped", facts: [["data-wait", 60], ["ranks-behind", 1, A]], cause: "data-loading", word: "not settled" },
  // fleet alone
  { name: "an uncorrectable memory error, XID 48", trouble: "device", facts: [["gpu-error", 48, A]], cause: "hardware", whom: "GPU-a", word: "strong" },
  { name: "a memory page fault alone, XID 31", trouble: "device", facts: [["gpu-error", 31, A]], cause: "hardware", word: "not settled" },
  { name: "a fatal SXid of an NVSwitch", trouble: "device", facts: [["gpu-error", 12_028, "switch n1/switch/0@n1"]], cause: "network", whom: "n1/switch/0", word: "likely" },
];

describe("rankCauses", () => {
  for (const { name, trouble, facts, replays = [], cause, whom = null, word } of SITUATIONS) {
    it(`${trouble}: ${name}: ${cause}${whom === null ? "" : ` ${whom}`}, ${word}`, () => {
      for (const input of replays.length === 0 ? [aCauseInput(trouble, facts), asFindings(trouble, facts)] : [aCauseInput(trouble, facts, replays)]) {
        const assessment = rankCauses(input);
        expect(assessment.causes[0]).toMatchObject({ cause, subjectId: whom });
        expect(assessment.word).toBe(word);
        expect(causeAssessmentSchema.parse(assessment)).toEqual(assessment);
      }
    });
  }

  it("covers at least 25 situations, and every cause comes first in one", () => {
    expect(SITUATIONS.length).toBeGreaterThanOrEqual(25);
    expect(new Set(SITUATIONS.map(({ cause }) => cause)).size).toBe(8);
  });

  it("does not guess at what it has no causes for", () => {
    const late = aFinding({ onsetStep: 10, metric: "checkpoint", detector: "checkpoint-late" });
    expect(rankCauses({ findings: [late], facts: [], replays: [] })).toEqual({ causes: [], word: "not settled", nextTest: null });
  });

  it("has what speaks for and against each cause, with sources", () => {
    const { causes } = rankCauses(aCauseInput("learning", [["rank-deviates", 4, A], ["batch-spiked-elsewhere", 2]]));
    const factsOf = (wanted: Cause): readonly (readonly [string, boolean])[] =>
      causes.filter(({ cause }) => cause === wanted).flatMap(({ facts }) => facts.map(({ text, logBayesFactor }) => [text, logBayesFactor > 0] as const));
    expect(factsOf("hardware")).toEqual([
      ["GPU-a alone deviates from its cohort, on 4 different batches", true],
      ["the batch was an outlier in 2 other runs or epochs as well", false],
    ]);
    expect(factsOf("data")).toEqual([["the batch was an outlier in 2 other runs or epochs as well", true]]);
    expect(causes.every(({ facts }) => facts.every(({ source }) => source.length > 0))).toBe(true);
  });

  it("counts facts of one origin once: a dead GPU's XIDs, its memory errors and its silence are one piece of evidence", () => {
    const one = rankCauses(aCauseInput("stopped", [["gpu-error", 79, A]]));
    const many = rankCauses(aCauseInput("stopped", [["gpu-error", 79, A], ["gpu-error", 48, A], ["node-memory-error", 0, "node n1@n1"], ["gpu-lost", null, A]]));
    expect(many.causes[0]?.share).toBeCloseTo(one.causes[0]?.share ?? 0, 9);
    expect(many.causes[0]?.facts.filter(({ logBayesFactor }) => logBayesFactor > 0)).toHaveLength(1);
    expect(many.causes[0]?.facts.filter(({ text }) => text.includes("counted with another fact"))).toHaveLength(3);
  });

  it("keeps one node's evidence off another node's GPU", () => {
    const own = rankCauses(aCauseInput("learning", [["rank-deviates", 4, A], ["node-memory-error", 1, "node n1@n1"]]));
    const foreign = rankCauses(aCauseInput("learning", [["rank-deviates", 4, A], ["node-memory-error", 1, "node n2@n2"]]));
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

describe("the table of factors", () => {
  // detection.md E.6: odds of hardware against everything else
  it.each<[string, Said, number]>([
    ["the same rank on 3 batches", ["rank-deviates", 3, A], 30],
    ["a memory error within 24 h", ["node-memory-error", 5, "node n1@n1"], 10],
    ["a node flagged before", ["node-flagged-before", 2, "node n1@n1"], 5],
    ["a node over one year old", ["node-age", 1.5, "node n1@n1"], 1.5],
    ["a batch that spiked elsewhere", ["batch-spiked-elsewhere", 1], 0.02],
    ["all cohorts move together", ["all-ranks-move", 1], 0.2],
    ["within 200 steps of a resume", ["after-resume", 150], 0.2],
    ["a replay elsewhere that disagrees", ["replay-elsewhere-disagreed", 1, A], 10_000],
    ["a replay elsewhere that agrees", ["replay-elsewhere-agreed", 1], 0.01],
  ])("moves the odds of hardware as E.6 says: %s", (_, fact, factor) => {
    const odds = (facts: readonly Said[]): number => {
      const share = hardwareShare(rankCauses(aCauseInput("learning", facts)));
      return share / (1 - share);
    };
    expect(odds([fact]) / odds([]) / factor).toBeGreaterThan(0.9);
    expect(odds([fact]) / odds([]) / factor).toBeLessThan(1.1);
  });

  it("says nothing of what is out of its reach", () => {
    const base = rankCauses(aCauseInput("learning")).causes;
    for (const fact of [["node-memory-error", 30, "node n1@n1"], ["node-age", 0.4, "node n1@n1"], ["after-resume", 900], ["all-ranks-move", 0.2], ["attention-logit-high", 40], ["gpu-error", 45, A]] as const satisfies readonly Said[]) {
      expect(rankCauses(aCauseInput("learning", [fact])).causes).toEqual(base);
    }
  });

  it("has priors that add up to 1 and speaks for the causes of a fact with one strength", () => {
    for (const priors of Object.values(PRIORS)) expect(Object.values(priors).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    for (const row of Object.values(FACTORS)) {
      for (const trouble of ["learning", "stopped", "slow", "device"] as const) {
        for (const value of [null, 0, 0.5, 1, 3, 31, 79, 100, 12_028]) {
          const raised = Object.values(row.factors(value, trouble) ?? {}).filter((factor) => factor > 1);
          expect(new Set(raised).size).toBeLessThanOrEqual(1);
        }
      }
    }
  });
});

const saidArbitrary: fc.Arbitrary<Said> = fc.oneof(
  fc.tuple(fc.constantFrom("rank-deviates", "gpu-lost", "throttled", "hot", "rank-compute-slow", "recompute-mismatch"), fc.integer({ min: 1, max: 5 }), fc.constantFrom(A, B, "gpu GPU-c@n1", "rank 4")),
  fc.tuple(fc.constantFrom("node-memory-error", "node-lost", "node-flagged-before", "node-age", "node-compute-slow"), fc.integer({ min: 1, max: 5 }), fc.constantFrom("node n1@n1", "node n2@n2", "node n3@n3")),
  fc.tuple(fc.constant("gpu-error" as const), fc.constantFrom(13, 31, 43, 45, 48, 74, 79, 999), fc.constantFrom(A, B)),
  fc.tuple(
    fc.constantFrom("single-step", "batch-spiked-elsewhere", "same-step-again", "norm-led-loss", "after-resume", "learning-rate-off", "all-ranks-move", "sequence-load-correlates", "data-wait", "transfer-slow", "non-finite"),
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
        const [before, after] = [totals(rankCauses(aCauseInput(trouble, facts))), totals(rankCauses(aCauseInput(trouble, [...facts, more])))];
        for (const [cause, factor] of Object.entries(FACTORS[more[0]].factors(more[1] ?? null, trouble) ?? {})) {
          for (const [known, share] of before) if (known === cause && factor > 1) expect(after.get(known) ?? 0).toBeGreaterThanOrEqual(share - 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function hash(text: string, seed: number): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed);
}

describe("the next test", () => {
  const next = (trouble: Trouble, facts: readonly Said[] = [], replays: readonly Replay[] = []): string | null => rankCauses(aCauseInput(trouble, facts, replays)).nextTest?.test ?? null;

  it.each<[string, Trouble, readonly Said[], readonly Replay[], RegExp | null]>([
    ["a spike of which nothing is known: the cheapest look first", "learning", [], [], /^Look for the batch in other runs/],
    ["a rank that deviates: replay elsewhere", "learning", [["rank-deviates", 3, A]], [], /^Replay the recorded step 48,210 on other nodes/],
    ["the same, replayed and alike", "learning", [["rank-deviates", 3, A]], [aReplay({ kind: "step-elsewhere" })], /^Look for the batch/],
    ["corruption that is proven and has no name", "learning", [], [aReplay({ kind: "step-elsewhere", outcome: "disagreed" })], /^Replay the step in groups of nodes/],
    ["corruption that is proven and has one", "learning", [["replica-hash-mismatch", 1, A]], [], null],
    ["a hang: dumps", "stopped", [], [], /flight-recorder dumps/],
    ["a hang after an XID 79: none is needed", "stopped", [["gpu-error", 79, A]], [], null],
    ["a slow run: times by operation", "slow", [], [], /by operation/],
    ["a page fault: another job", "device", [["gpu-error", 31, A]], [], /with another job/],
    ["nodes lost together: the network", "stopped", [["node-lost", null, "node a@a"], ["node-lost", null, "node b@b"], ["node-lost", null, "node c@c"], ["ranks-behind", 3]], [], /nccl-tests/],
  ])("%s", (_, trouble, facts, replays, expected) => {
    if (expected === null) expect(next(trouble, facts, replays)).toBeNull();
    else expect(next(trouble, facts, replays)).toMatch(expected);
  });

  it("says what each outcome would make of it", () => {
    expect(rankCauses(aCauseInput("learning", [["rank-deviates", 3, A]])).nextTest?.why).toBe("if it disagrees: hardware 99 %; if it agrees: data 42 %");
  });
});
