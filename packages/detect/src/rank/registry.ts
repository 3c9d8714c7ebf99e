import type { RankDetectorEntry } from "./contract.ts";
import { rankDeviation } from "./deviation/rank-deviation.ts";
import { expertLoad } from "./expert/expert-load.ts";
import { rankNonFinite } from "./non-finite/rank-non-finite.ts";
import { rareFaults } from "./rare/rare-faults.ts";
import { recomputeMismatch } from "./recompute/recompute-mismatch.ts";
import { replicaHash } from "./replica/replica-hash.ts";
import { computeStraggler } from "./straggler/compute-straggler.ts";
import { dataWait } from "./straggler/data-wait.ts";
import { sequenceImbalance } from "./straggler/sequence-imbalance.ts";
import { stageSlow } from "./straggler/stage-slow.ts";
import { transferSlow } from "./straggler/transfer-slow.ts";

/** Every rank detector, in the order in which they see a step. A new one is one file and one line here. */
export const RANK_DETECTORS = [
  rankDeviation,
  rareFaults,
  rankNonFinite,
  replicaHash,
  recomputeMismatch,
  computeStraggler,
  stageSlow,
  transferSlow,
  dataWait,
  sequenceImbalance,
  expertLoad,
] as const satisfies readonly RankDetectorEntry[];
