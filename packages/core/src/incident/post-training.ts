/** Detector of a held-out score that turns while the reward climbs: what its incidents propose is the checkpoint at the peak. */
export const OVER_OPTIMISATION = "over-optimisation";

/** Detectors of post-training, by id: their sentence says more than a peak beside a baseline, and what they find is no spike that comes back by itself. */
export const POST_TRAINING_DETECTORS: ReadonlySet<string> = new Set([
  OVER_OPTIMISATION,
  "kl-drift",
  "entropy-collapse",
  "diversity-collapse",
  "zero-variance-groups",
  "clip-fraction",
  "truncation",
  "rollout-mismatch",
  "policy-staleness",
  "reward-saturation",
  "length-exploitation",
  "reward-hacking",
  "sycophancy",
]);
