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
] as const satisfies readonly DetectorEntry[];
