/**
 * The detector that each injected fault is there for, by the scenario's name: its recall is counted there. Set by what a detector says that it finds, not by who happened to speak
 * first. No detector claims to see a data order that begins anew. Faults of hardware are counted in the synthetic fleet, where the detector of each is judged by itself.
 */
export const DETECTOR_OF_SCENARIO: Readonly<Record<string, string>> = {
  "silent error 3 σ": "rank-deviation",
  "silent error 5 σ": "rank-deviation",
  "silent error 8 σ": "rank-deviation",
  "silent error 5 σ on 50 % of steps": "rank-deviation",
  "silent error 5 σ on 30 % of steps": "rank-deviation",
  "silent error 8 σ on 30 % of steps": "rank-deviation",
  "rare error 40 σ on 1 % of steps": "rank-rare-faults",
  "recompute fingerprints differ": "recompute-mismatch",
  "a replica's parameters differ": "replica-hash",
  "slow GPU, 25 to 60 %": "compute-straggler",
  "slow node, 25 to 60 %": "compute-straggler",
  "last stage, 25 to 60 %": "stage-slow",
  "uneven sequence lengths": "sequence-imbalance",
  "slow data, 20 to 60 % of a step": "data-wait",
  "slow NVLink, 15 to 40 % left": "transfer-slow",
  "erring port, steps 15 to 40 % longer": "transfer-slow",
  hang: "hang",
  "NaN of one rank first": "non-finite",
  "bad batch": "one-step-outlier",
  "learning rate 5 times": "learning-rate-jump",
  "learning rate begins anew after a restart": "learning-rate-jump",
  "loss scale collapses": "loss-scale-collapse",
  jitter: "jitter",
  "expert imbalance": "expert-load",
  "checkpoints fail": "checkpoint-failed",
};
