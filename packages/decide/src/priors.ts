/** A Beta distribution by its two counts: how often it happened, how often it did not, with one each for not knowing. */
export interface Beta {
  readonly yes: number;
  readonly no: number;
}

/** Samples by which a checkpoint must lie before the onset's lower end (detection.md E.2: p90 of back-dating). */
export const MARGIN_SAMPLES = { jump: 10, ramp: 40 } as const;

/**
 * Whether a spike comes back by itself at all. Jumps: 6 of the 8 that teams waited for did (public chronicles: BLOOM-13B twice, BLOOM-176B,
 * IDEFICS-80B, CPM-Ant twice; not Marin 32B and 8B). "Instant spikes recover, slow build-ups do not" (IDEFICS-80B).
 */
export const RECOVERS = {
  jump: { yes: 6, no: 2 },
  ramp: { yes: 1, no: 5 },
  diverged: { yes: 1, no: 19 },
} as const satisfies Record<string, Beta>;

/** Of spikes that recover half are back by 30 steps (BLOOM-176B) and nearly all by a few hundred (detection.md A.5). */
export const RECOVERY_HALF_STEPS = 30;
/** Log-logistic shape: 95 % of them are back by 300 steps. */
export const RECOVERY_SHAPE = 1.28;

/** Whether the fault comes again after the action (detection.md E.5; the last two from the 12 cuts and 5 skips with a known outcome in the chronicles). */
export const RESPIKES = {
  /** First spike, at least {@link FULL_ROLLBACK_STEPS} back, data skipped: PaLM, K2-65B. */
  firstFullRollback: { yes: 1, no: 9 },
  /** Nearer than that: IDEFICS-80B's first rollback was too short. */
  shortRollback: { yes: 3, no: 3 },
  /** It has come again after a rollback before, at other data: BLOOM-104B, IDEFICS-80B. */
  again: { yes: 4, no: 2 },
  /** It came again at the same steps, and those data are skipped: four of five skips held. */
  skipSameData: { yes: 2, no: 5 },
  /** It came again twice and the learning rate is cut: IDEFICS-80B, OPT-175B. */
  lowerRate: { yes: 3, no: 3 },
} as const satisfies Record<string, Beta>;

/** PaLM restarted about 100 steps before each spike. */
export const FULL_ROLLBACK_STEPS = 100;
/** A re-spike counts as the same trouble within so many steps (detection.md E.4). */
export const RESPIKE_REACH_STEPS = 2_000;

/** Chance that the checks on a checkpoint would have shown damage in it (detection.md E.3). */
export const CHECK_SEES = { unchecked: 0.5, verified: 0.9 } as const;

/** Seconds from the decision to the first new step: the upper half of 454 to 768 s for a re-queued job (ByteRobust). */
export const RESTART_S = 600;
/** The same in steps where the step time is not known: a step of ten seconds. */
export const RESTART_STEPS_UNKNOWN = 60;

/** A loss falls about as the -0.05th power of compute (Kaplan et al. 2020), so a relative shift d costs d / 0.05 of the steps so far. */
export const LOSS_EXPONENT = 0.05;
/** Share of a level shift that is still there in the end: a uniform draw to this power, as most still decay when they are first measured. Ours. */
export const SHIFT_PERSISTS_POWER = 2;

/** Steps of training that a skipped batch and a learning-rate cut are worth. Ours, to be calibrated. */
export const SKIP_COST_STEPS = 0.1;
export const RATE_CUT_COST_STEPS = 100;

/** Skip range: 50 steps on either side, 200 to 500 batches (GLM-130B 200, PaLM 200 to 500). */
export const SKIP = { sideSteps: 50, leastSteps: 200, mostSteps: 500 } as const;

/** 373 of 383 outlier episodes in 73 public runs last one step, none more than two (detection.md finding 2). */
export const OUTLIER_ENDS = 373 / 383;

export const DRAWS = 1_000;
/** Shares of draws from which the words hold (detection.md E.7). */
export const STRONG_SHARE = 0.9;
export const LIKELY_SHARE = 0.7;
