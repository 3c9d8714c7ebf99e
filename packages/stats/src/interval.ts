export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson score interval of a share: `hits` of `trials`, `z` standard errors wide (1.96 for 95 %). Wilson 1927. No trials: [0, 1]. */
export function wilsonInterval(hits: number, trials: number, z = 1.959963984540054): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const share = hits / trials;
  const spread = (z * z) / trials;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials));
  // Rounding must not put the share itself outside.
  return { low: Math.max(0, Math.min(share, centre - half)), high: Math.min(1, Math.max(share, centre + half)) };
}

/** P(X ≤ count) of a Poisson variable. */
export function poissonCdf(count: number, mean: number): number {
  if (mean <= 0) return 1;
  let logTerm = -mean;
  let sum = Math.exp(logTerm);
  for (let index = 1; index <= count; index++) {
    logTerm += Math.log(mean / index);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/**
 * Exact one-sided upper bound on a Poisson mean after `count` events: χ²(confidence; 2(count + 1)) / 2 (Garwood 1936), found by bisection.
 * No event gives 3.0 at 95 %: the rule of three.
 */
export function poissonUpperBound(count: number, confidence = 0.95): number {
  let low = count;
  let high = count + 10 + 10 * Math.sqrt(count + 1);
  for (let round = 0; round < 100; round++) {
    const mean = (low + high) / 2;
    if (poissonCdf(count, mean) > 1 - confidence) low = mean;
    else high = mean;
  }
  return high;
}

/** Upper bound on the false alarms per 10,000 points after `alarms` in `points`. No points: Infinity, since nothing was shown. */
export function alarmsPer10kUpperBound(alarms: number, points: number, confidence = 0.95): number {
  return points === 0 ? Number.POSITIVE_INFINITY : (poissonUpperBound(alarms, confidence) / points) * 10_000;
}
