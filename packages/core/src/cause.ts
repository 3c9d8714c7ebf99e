import { z } from "zod";

/**
 * What an incident may be caused by. The first four explain a model that learns badly (detection.md A.6), the others a run that is slow or stands
 * (C.4, finding 7): `hardware` is a GPU, its memory or its node in both, `network` an NVLink, a port or a switch.
 */
export const CAUSES = ["data", "optimizer", "hardware", "software", "network", "last-stage", "sequence-length", "data-loading"] as const;
export type Cause = (typeof CAUSES)[number];

/** What people read, in advice, notices, exports and on pages. */
export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  data: "data",
  optimizer: "optimizer",
  hardware: "hardware",
  software: "software or configuration",
  network: "network",
  "last-stage": "last pipeline stage",
  "sequence-length": "sequence lengths",
  "data-loading": "data loading",
};

/**
 * Facts that speak for or against a cause (detection.md A.6, B.6, C.4, E.6). Detectors state them on findings, the server adds those that follow from what else is
 * stored of the run and its nodes, `rankCauses` of `decide` weighs them. `value` says how much or how often, in the unit given here.
 */
export const CAUSE_FACTS = [
  /** One rank deviates from its cohort; on so many different batches (steps). */
  "rank-deviates",
  /** Every cohort moved together: the share of ranks, 0 to 1. */
  "all-ranks-move",
  /** The fault lasted one logged step and was gone. */
  "single-step",
  /** The loss or norm on this batch was an outlier in so many other runs or epochs as well. */
  "batch-spiked-elsewhere",
  /** The same step spiked again after a restart from a checkpoint before it. */
  "same-step-again",
  /** The gradient or update norm rose so many steps before the loss. */
  "norm-led-loss",
  "loss-scale-collapsed",
  /** Largest attention logit. */
  "attention-logit-high",
  /** So many steps since a resume. */
  "after-resume",
  /** The learning rate is so many times what its schedule says. */
  "learning-rate-off",
  /** Replicas that must agree hold other parameters: so many disagree. */
  "replica-hash-mismatch",
  "recompute-mismatch",
  "non-finite",
  /** The recorded step, run on other hardware: so many times. */
  "replay-elsewhere-agreed",
  "replay-elsewhere-disagreed",
  /** The suspect hardware, run again: so many times. */
  "rerun-agreed",
  "rerun-disagreed",
  /** Hours since an XID of memory or a row remap on the suspect's node (48, 63, 64, 94, 95). */
  "node-memory-error",
  /** XID or SXid on the suspect at the time: its number. */
  "gpu-error",
  /** The node was in so many earlier incidents as a suspect. */
  "node-flagged-before",
  /** Age of the node in years. */
  "node-age",
  "gpu-lost",
  "node-lost",
  /** Share of time, 0 to 1, that the clocks are held down. */
  "throttled",
  /** °C above its peers. */
  "hot",
  /** Errors a minute on an NVLink or a port of the suspect. */
  "link-errors",
  "link-down",
  /** Bandwidth as a share of its cohort's, 0 to 1. */
  "link-slow",
  /** One rank's compute is slower than its cohort's by so much, as a ratio. */
  "rank-compute-slow",
  /** The ranks of one node are the slow ones: ratio. */
  "node-compute-slow",
  /** The last pipeline stage's compute over the other stages': ratio. */
  "last-stage-slow",
  /** Correlation of compute time with sequence load, or of forward with backward time over ranks, -1 to 1. */
  "sequence-load-correlates",
  /** Transfer time of a communication group over its own baseline: ratio. */
  "transfer-slow",
  /** Waiting for data over its own baseline, or its share of the step: ratio. */
  "data-wait",
  /** So many ranks are behind the others. */
  "ranks-behind",
  /** The same application error on so large a share of the job's nodes at once. */
  "same-error-on-most-nodes",
] as const;
export type CauseFactName = (typeof CAUSE_FACTS)[number];

export const causeFactSchema = z.object({ fact: z.enum(CAUSE_FACTS), value: z.number().nullable() });
export type CauseFact = z.infer<typeof causeFactSchema>;

/** One cause as it stands: share of belief after all facts, and each fact with what it did. */
export const rankedCauseSchema = z.object({
  cause: z.enum(CAUSES),
  /** Which GPU, node, link, stage: null where the cause has none. */
  subjectKind: z.string().nullable(),
  subjectId: z.string().nullable(),
  /** 0 to 1; shares of one incident add up to 1. */
  share: z.number().min(0).max(1),
  /** Each fact that bears on it: natural logarithm of its Bayes factor; positive speaks for it. `source` cites where the factor is from. */
  facts: z.array(z.object({ text: z.string(), logBayesFactor: z.number(), source: z.string() })),
});
export type RankedCause = z.infer<typeof rankedCauseSchema>;

export const causeAssessmentSchema = z.object({
  /** Most likely first. */
  causes: z.array(rankedCauseSchema),
  /** As in `CONFIDENCE_WORDS`: at least 0.9, 0.7, or less. */
  word: z.enum(["strong", "likely", "not settled"]),
  /** The test most worth doing, and what each outcome would change; null where none would. */
  nextTest: z.object({ test: z.string(), why: z.string() }).nullable(),
});
export type CauseAssessment = z.infer<typeof causeAssessmentSchema>;
