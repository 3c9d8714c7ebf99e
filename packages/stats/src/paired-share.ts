import type { Interval } from "./interval.ts";
import { normalQuantile } from "./normal-quantile.ts";

/**
 * Score interval of the difference of two paired shares, (won − lost) / n: Tango 1998 (Statistics in Medicine 17, 891–908). All differences that
 * the score test does not reject, the nuisance parameter at its constrained maximum likelihood. Keeps its level where few samples differ and
 * where none do, where a normal interval would have no width.
 * @param lost, won samples that only the first, only the second passes; @param n all common samples; @param level e.g. 0.95
 * @returns within [−1, 1]; the whole of it for no samples; NaN where the counts are impossible
 */
export function pairedShareInterval(lost: number, won: number, n: number, level: number): Interval {
  if (!(lost >= 0 && won >= 0 && n >= lost + won && level > 0 && level < 1)) return { low: Number.NaN, high: Number.NaN };
  if (n === 0) return { low: -1, high: 1 };
  const critical = normalQuantile((1 + level) / 2);
  const seen = (won - lost) / n;
  return {
    low: seen === -1 ? -1 : bisect(-1, seen, (difference) => score(lost, won, n, difference) > critical),
    high: seen === 1 ? 1 : bisect(1, seen, (difference) => score(lost, won, n, difference) < -critical),
  };
}

/** Standardised distance of what was seen from `difference`; falls as `difference` rises. */
function score(lost: number, won: number, n: number, difference: number): number {
  const linear = -won - lost + (2 * n - won + lost) * difference;
  const constant = -lost * difference * (1 - difference);
  const onlyFirst = (Math.sqrt(Math.max(0, linear * linear - 8 * n * constant)) - linear) / (4 * n);
  const variance = n * (2 * onlyFirst + difference * (1 - difference));
  const distance = won - lost - n * difference;
  if (distance === 0) return 0;
  return variance <= 0 ? Math.sign(distance) * Number.POSITIVE_INFINITY : distance / Math.sqrt(variance);
}

/** Edge between `outside`, which is rejected, and `inside`, which is not. */
function bisect(outside: number, inside: number, isRejected: (difference: number) => boolean): number {
  if (!isRejected(outside)) return outside;
  for (let round = 0; round < 60; round++) {
    const middle = (outside + inside) / 2;
    if (isRejected(middle)) outside = middle;
    else inside = middle;
  }
  return inside;
}
