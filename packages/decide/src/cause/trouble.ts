import { isFleetSubject, POST_TRAINING_DETECTORS, signalOf } from "@trainwatch/core";
import type { Cause, CauseFactName, Finding } from "@trainwatch/core";

/** What an incident is about decides which causes come into question and how likely each is before any fact. */
export type Trouble =
  /** The model learns badly. */
  | "learning"
  /** The run stands, or a node of it is gone. */
  | "stopped"
  /** The run is slow. */
  | "slow"
  /** A piece of hardware has told of an error, and no run is known to suffer. */
  | "device";

/** What each trouble is caused by, before any fact. Each row adds up to 1. */
export const PRIORS = {
  /**
   * Hardware: 6 % of the steps that Gemini 2.5 replayed as suspicious were genuine (detection.md E.6). The rest is split by us: most outliers come with the data
   * (finding 2), and resume and sampler bugs cost IDEFICS two restarts (A.6).
   */
  learning: { data: 0.46, optimizer: 0.32, software: 0.16, hardware: 0.06 },
  /**
   * ByteRobust: 21 of 26 hangs were infrastructure, 5 the job's own; Alibaba: 71 % of failures that looked like the network were not (detection.md D.1). Two points are
   * taken off the job's own for a data loader that stands: ours.
   */
  stopped: { hardware: 0.57, network: 0.24, software: 0.17, "data-loading": 0.02 },
  /**
   * ByteDance, jobs at least 10 % slower: a worker explains most of it in 1.7 %, the last pipeline stage in 39.3 %, sequence lengths in 21.4 % (detection.md finding 7). The
   * other 37.6 % are split by us over the network, software (garbage collection and the like) and data loading.
   */
  slow: { "last-stage": 0.393, "sequence-length": 0.214, hardware: 0.017, network: 0.14, software: 0.14, "data-loading": 0.096 },
  /** Llama 3, 380 of 419 interruptions with a known part: 282 GPU, memory and host, 42 switch, cable and NIC, 56 software (detection.md D.1). */
  device: { hardware: 0.742, network: 0.111, software: 0.147 },
} as const satisfies Readonly<Record<Trouble, Readonly<Partial<Record<Cause, number>>>>>;

/** Facts that are about what the model learns, whatever metric brought them. */
const OF_LEARNING = new Set<CauseFactName>([
  "replica-hash-mismatch",
  "recompute-mismatch",
  "rank-deviates",
  "batch-spiked-elsewhere",
  "same-step-again",
  "non-finite",
]);

/** The worst of what a run suffers: one that stands because a GPU has died is stopped, whatever its loss did in its last step. Null where the findings are about none of it, such as a late checkpoint or what goes wrong in post-training. */
export function troubleOf(findings: readonly Finding[]): Trouble | null {
  const told = findings.filter((finding) => finding.severity !== "info");
  const kinds = (told.length > 0 ? told : findings).map(troubleOfFinding);
  return TROUBLES.find((trouble) => kinds.includes(trouble)) ?? null;
}

/** Worst first. */
export const TROUBLES = ["stopped", "learning", "slow", "device"] as const satisfies readonly Trouble[];

function troubleOfFinding(finding: Finding): Trouble | null {
  // The goal, the sampler or the settings are at fault, and no table of data against hardware says which.
  if (POST_TRAINING_DETECTORS.has(finding.detector)) return null;
  const signal = signalOf(finding);
  if (signal === "stop" || signal === "lost") return "stopped";
  if (signal === "learning" || signal === "not-finite" || finding.facts.some(({ fact }) => OF_LEARNING.has(fact))) return "learning";
  if (signal === "slow" || (signal === "slow-device" && !isFleetSubject(finding.subject))) return "slow";
  return signal === "other" ? null : "device";
}
