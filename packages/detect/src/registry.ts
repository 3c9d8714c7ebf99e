import type { DetectorEntry } from "./contract.ts";
import { attentionLogit } from "./detectors/attention-logit.ts";
import { checkpointSlow } from "./detectors/checkpoint-slow.ts";
import { gradNormShift } from "./detectors/grad-norm-shift.ts";
import { jitter } from "./detectors/jitter.ts";
import { learningRateJump } from "./detectors/learning-rate-jump.ts";
import { loggerHidesNan } from "./detectors/logger-hides-nan.ts";
import { lossScaleCollapse } from "./detectors/loss-scale-collapse.ts";
import { lossShift } from "./detectors/loss-shift.ts";
import { nonFiniteValues } from "./detectors/non-finite.ts";
import { oneStepOutlier } from "./detectors/one-step-outlier.ts";
import { stepTime } from "./detectors/step-time.ts";
import { throughputDrop } from "./detectors/throughput-drop.ts";
import { unstableRegime } from "./detectors/unstable-regime.ts";
import { clipFraction } from "./post-training/clip-fraction.ts";
import { diversityCollapse } from "./post-training/diversity-collapse.ts";
import { entropyCollapse } from "./post-training/entropy-collapse.ts";
import { klDrift } from "./post-training/kl-drift.ts";
import { lengthExploitation } from "./post-training/length-exploitation.ts";
import { overOptimisation } from "./post-training/over-optimisation.ts";
import { policyStaleness } from "./post-training/policy-staleness.ts";
import { rewardHacking } from "./post-training/reward-hacking.ts";
import { rewardSaturation } from "./post-training/reward-saturation.ts";
import { rolloutMismatch } from "./post-training/rollout-mismatch.ts";
import { sycophancy } from "./post-training/sycophancy.ts";
import { truncation } from "./post-training/truncation.ts";
import { zeroVarianceGroups } from "./post-training/zero-variance-groups.ts";

/** Every detector, in the order in which they see a sample. A new one is one file and one line here. */
export const DETECTORS = [
  lossShift,
  gradNormShift,
  oneStepOutlier,
  unstableRegime,
  nonFiniteValues,
  loggerHidesNan,
  stepTime,
  throughputDrop,
  jitter,
  lossScaleCollapse,
  attentionLogit,
  learningRateJump,
  checkpointSlow,
  overOptimisation,
  klDrift,
  entropyCollapse,
  diversityCollapse,
  zeroVarianceGroups,
  clipFraction,
  truncation,
  rolloutMismatch,
  policyStaleness,
  rewardSaturation,
  lengthExploitation,
  rewardHacking,
  sycophancy,
] as const satisfies readonly DetectorEntry[];
