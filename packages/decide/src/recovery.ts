import { RECOVERY_HALF_STEPS, RECOVERY_SHAPE } from "./priors.ts";

/** Share of the spikes that recover which are back within `steps` of their onset. Log-logistic. */
export function recoveredBy(steps: number): number {
  return steps <= 0 ? 0 : 1 / (1 + (RECOVERY_HALF_STEPS / steps) ** RECOVERY_SHAPE);
}

/**
 * P(recovers within the next `ahead` steps | has not after `age` steps), when a share `everRecovers` of such spikes ever does.
 * The longer it has not come back, the likelier it is one of those that never do.
 */
export function recoveryOdds(age: number, ahead: number, everRecovers: number): number {
  const still = 1 - everRecovers * recoveredBy(age);
  return still <= 0 ? 0 : (everRecovers * (recoveredBy(age + ahead) - recoveredBy(age))) / still;
}
