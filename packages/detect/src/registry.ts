import type { DetectorEntry } from "./contract.ts";
import { gradNormShift } from "./detectors/grad-norm-shift.ts";
import { loggerHidesNan } from "./detectors/logger-hides-nan.ts";
import { lossShift } from "./detectors/loss-shift.ts";
import { nonFiniteValues } from "./detectors/non-finite.ts";
import { oneStepOutlier } from "./detectors/one-step-outlier.ts";
import { stepTime } from "./detectors/step-time.ts";
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
] as const satisfies readonly DetectorEntry[];
