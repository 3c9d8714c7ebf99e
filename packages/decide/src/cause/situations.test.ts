import { causeAssessmentSchema } from "@trainwatch/core";
import type { Cause, CauseAssessment, Replay } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { aCauseInput, aReplay, asFindings } from "./cause-input.fixture.ts";
import type { Said } from "./cause-input.fixture.ts";
import { rankCauses } from "./rank-causes.ts";
import type { Trouble } from "./trouble.ts";

const A = "gpu GPU-a@n1";
const B = "gpu GPU-b@n2";

interface Situation {
  readonly name: string;
  readonly trouble: Trouble;
  readonly facts: readonly Said[];
  readonly replays?: readonly Replay[];
  readonly cause: Cause;
  readonly whom?: string;
  readonly word: CauseAssessment["word"];
}

/** What the literature of detection.md A to E calls the cause; `word` is how sure it may be called on these facts alone. */
const SITUATIONS: readonly Situation[] = [
  // A: what the model learns
  { name: "a spike and nothing else known", trouble: "learning", facts: [], cause: "data", word: "not settled" },
  {
    name: "one step on every rank, as 68 of 73 public runs have on the same batches",
    trouble: "learning",
    facts: [
      ["single-step", 1],
      ["all-ranks-move", 0.98],
    ],
    cause: "data",
    word: "likely",
  },
  {
    name: "a batch that has spiked in another run",
    trouble: "learning",
    facts: [["batch-spiked-elsewhere", 1]],
    cause: "data",
    word: "strong",
  },
  {
    name: "the same, though one rank saw it most",
    trouble: "learning",
    facts: [
      ["batch-spiked-elsewhere", 3],
      ["rank-deviates", 1, A],
    ],
    cause: "data",
    word: "strong",
  },
  {
    name: "the same step again after a rollback (PaLM)",
    trouble: "learning",
    facts: [["same-step-again", 1]],
    cause: "data",
    word: "not settled",
  },
  {
    name: "the same step again, and attention logits above 1,000 (Kimi K2)",
    trouble: "learning",
    facts: [
      ["same-step-again", 1],
      ["attention-logit-high", 1_400],
    ],
    cause: "optimizer",
    word: "strong",
  },
  {
    name: "a norm that led by four steps and a loss scale at its floor (OPT-175B)",
    trouble: "learning",
    facts: [["norm-led-loss", 4], ["loss-scale-collapsed"], ["all-ranks-move", 1]],
    cause: "optimizer",
    word: "likely",
  },
  {
    name: "twenty steps after a resume (IDEFICS)",
    trouble: "learning",
    facts: [["after-resume", 20]],
    cause: "software",
    word: "not settled",
  },
  {
    name: "a learning rate off its schedule after a resume (IDEFICS)",
    trouble: "learning",
    facts: [
      ["after-resume", 20],
      ["learning-rate-off", 2],
      ["all-ranks-move", 1],
    ],
    cause: "software",
    word: "strong",
  },
  // B: silent corruption
  {
    name: "one rank on one batch: its micro-batch as well as its GPU",
    trouble: "learning",
    facts: [["rank-deviates", 1, A]],
    cause: "data",
    word: "not settled",
  },
  {
    name: "one rank on four batches",
    trouble: "learning",
    facts: [["rank-deviates", 4, A]],
    cause: "hardware",
    whom: "GPU-a",
    word: "not settled",
  },
  {
    name: "one rank on four batches, a remap on its node",
    trouble: "learning",
    facts: [
      ["rank-deviates", 4, A],
      ["node-memory-error", 3, "node n1@n1"],
    ],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "one rank on four batches, its node a suspect before",
    trouble: "learning",
    facts: [
      ["rank-deviates", 4, A],
      ["node-flagged-before", 1, "node n1@n1"],
    ],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "replicas that disagree, one against the others",
    trouble: "learning",
    facts: [["replica-hash-mismatch", 1, A]],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "all replicas apart: a desync bug (BLOOM's layer norms)",
    trouble: "learning",
    facts: [["replica-hash-mismatch", 31]],
    cause: "software",
    word: "not settled",
  },
  {
    name: "a recompute that differs (12 of AEGIS's 18)",
    trouble: "learning",
    facts: [["recompute-mismatch", 1, A]],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "the recorded step computed otherwise elsewhere",
    trouble: "learning",
    facts: [],
    replays: [aReplay({ kind: "step-elsewhere", outcome: "disagreed", gpuId: "GPU-a", nodeId: "n1" })],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "the recorded step computed alike elsewhere, though the rank deviates",
    trouble: "learning",
    facts: [["rank-deviates", 4, A]],
    replays: [aReplay({ kind: "step-elsewhere" })],
    cause: "data",
    word: "not settled",
  },
  {
    name: "a device that erred once in 50 re-runs (AEGIS)",
    trouble: "learning",
    facts: [],
    replays: [aReplay({ runs: 49, gpuId: "GPU-a" }), aReplay({ outcome: "disagreed", gpuId: "GPU-a" })],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "two ranks, one of them on a node with a memory error",
    trouble: "learning",
    facts: [
      ["rank-deviates", 3, A],
      ["rank-deviates", 3, B],
      ["node-memory-error", 1, "node n2@n2"],
    ],
    cause: "hardware",
    whom: "GPU-b",
    word: "likely",
  },
  // C.4, finding 7: a slow run
  { name: "a slow run and nothing else known", trouble: "slow", facts: [], cause: "last-stage", word: "not settled" },
  {
    name: "one rank that computes longer than its cohort",
    trouble: "slow",
    facts: [["rank-compute-slow", 1.3, A]],
    cause: "hardware",
    whom: "GPU-a",
    word: "likely",
  },
  {
    name: "the same with its clocks held down",
    trouble: "slow",
    facts: [
      ["rank-compute-slow", 1.3, A],
      ["throttled", 0.4, A],
      ["hot", 14, A],
    ],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "all ranks of a node that compute longer",
    trouble: "slow",
    facts: [["node-compute-slow", 1.2, "node n1@n1"]],
    cause: "hardware",
    whom: "n1",
    word: "strong",
  },
  {
    name: "two GPUs of one node throttled: the node",
    trouble: "slow",
    facts: [
      ["throttled", 0.3, A],
      ["throttled", 0.4, "gpu GPU-c@n1"],
      ["node-compute-slow", 1.2, "node n1@n1"],
    ],
    cause: "hardware",
    whom: "n1",
    word: "strong",
  },
  {
    name: "a last stage that computes longer (39.3 % of ByteDance's slow jobs)",
    trouble: "slow",
    facts: [["last-stage-slow", 1.25, "stage 7"]],
    cause: "last-stage",
    whom: "7",
    word: "strong",
  },
  {
    name: "compute that follows the sequence lengths",
    trouble: "slow",
    facts: [["sequence-load-correlates", 0.96]],
    cause: "sequence-length",
    word: "strong",
  },
  {
    name: "the same, though one rank is the slowest: lengths and not the node (ByteDance)",
    trouble: "slow",
    facts: [
      ["sequence-load-correlates", 0.96],
      ["rank-compute-slow", 1.2, A],
    ],
    cause: "sequence-length",
    word: "strong",
  },
  {
    name: "an NVLink at 43 % of its peers",
    trouble: "slow",
    facts: [["link-slow", 0.43, "link GPU-a/link/5@n1"]],
    cause: "network",
    whom: "GPU-a/link/5",
    word: "likely",
  },
  {
    name: "transfers that take longer and a port with errors",
    trouble: "slow",
    facts: [
      ["transfer-slow", 1.6],
      ["link-errors", 40, "port n1/port/mlx5_0:1@n1"],
    ],
    cause: "network",
    whom: "n1/port/mlx5_0:1",
    word: "likely",
  },
  { name: "ranks that wait for data", trouble: "slow", facts: [["data-wait", 4]], cause: "data-loading", word: "strong" },
  // C.2, D.1: a run that stands
  {
    name: "a hang and nothing else known (21 of 26 are infrastructure)",
    trouble: "stopped",
    facts: [],
    cause: "hardware",
    word: "not settled",
  },
  {
    name: "a hang after an XID 79",
    trouble: "stopped",
    facts: [
      ["gpu-error", 79, A],
      ["ranks-behind", 1, A],
    ],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "a hang after a port went down",
    trouble: "stopped",
    facts: [["link-down", null, "port n1/port/mlx5_0:1@n1"]],
    cause: "network",
    whom: "n1/port/mlx5_0:1",
    word: "strong",
  },
  {
    name: "a hang after an NVLink error, XID 74",
    trouble: "stopped",
    facts: [["gpu-error", 74, A]],
    cause: "network",
    whom: "GPU-a",
    word: "strong",
  },
  {
    name: "an illegal access on most nodes at once: the application",
    trouble: "stopped",
    facts: [
      ["gpu-error", 31, A],
      ["same-error-on-most-nodes", 0.7],
    ],
    cause: "software",
    word: "strong",
  },
  {
    name: "a node from which nothing comes",
    trouble: "stopped",
    facts: [["node-lost", null, "node n1@n1"]],
    cause: "hardware",
    whom: "n1",
    word: "strong",
  },
  {
    name: "forty nodes from which nothing comes: what they share",
    trouble: "stopped",
    facts: Array.from({ length: 40 }, (_, index): Said => ["node-lost", null, `node n${index}@n${index}`]),
    cause: "network",
    word: "not settled",
  },
  {
    name: "a rank that waits for its data loader",
    trouble: "stopped",
    facts: [
      ["data-wait", 60],
      ["ranks-behind", 1, A],
    ],
    cause: "data-loading",
    word: "not settled",
  },
  // fleet alone
  {
    name: "an uncorrectable memory error, XID 48",
    trouble: "device",
    facts: [["gpu-error", 48, A]],
    cause: "hardware",
    whom: "GPU-a",
    word: "strong",
  },
  { name: "a memory page fault alone, XID 31", trouble: "device", facts: [["gpu-error", 31, A]], cause: "hardware", word: "not settled" },
  {
    name: "a fatal SXid of an NVSwitch",
    trouble: "device",
    facts: [["gpu-error", 12_028, "switch n1/switch/0@n1"]],
    cause: "network",
    whom: "n1/switch/0",
    word: "likely",
  },
];

describe("causes of documented situations", () => {
  for (const { name, trouble, facts, replays = [], cause, whom = null, word } of SITUATIONS) {
    it(`${trouble}: ${name}: ${cause}${whom === null ? "" : ` ${whom}`}, ${word}`, () => {
      for (const input of replays.length === 0
        ? [aCauseInput(trouble, facts), asFindings(trouble, facts)]
        : [aCauseInput(trouble, facts, replays)]) {
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
});
