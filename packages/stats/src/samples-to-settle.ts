import { normalQuantile } from "./normal-quantile.ts";

export interface SampleQuestion {
  /** The difference that is to be told from none, in the unit of the scores. */
  readonly delta: number;
  /** Standard deviation of one sample's difference (error · √n of the paired difference). */
  readonly perPairSd: number;
  /** Confidence of the two-sided test, e.g. 0.95. */
  readonly level: number;
  /** Chance to find it, e.g. 0.8. */
  readonly power: number;
}

/**
 * Common samples that a paired comparison needs in all to find `delta` with the given power: n = ((z_{(1+level)/2} + z_power) · sd / delta)²
 * (Miller 2024, section 5; Lehr 1992). If the difference seen is put in for the true one, it is a rule of thumb: what was seen is the larger the
 * more often it was chosen for being large.
 * @returns whole, at least 2; null where no number settles it: delta 0, or something not known
 */
export function samplesToSettle({ delta, perPairSd, level, power }: SampleQuestion): number | null {
  if (!(Number.isFinite(delta) && delta !== 0 && perPairSd > 0 && level > 0 && level < 1 && power > 0 && power < 1)) return null;
  const n = (((normalQuantile((1 + level) / 2) + normalQuantile(power)) * perPairSd) / delta) ** 2;
  return Number.isFinite(n) ? Math.max(2, Math.ceil(n)) : null;
}
