/** A one-sided upper CUSUM: Page 1954; clipping the scores makes it robust to single outliers (winsorised). */
export interface CusumDesign {
  /** Reference value, in sigma: half of the shift to be found soonest. */
  readonly k: number;
  /** Decision interval, in sigma: alarm when the sum exceeds it. */
  readonly h: number;
  /** Scores are clipped to ±clip sigma; Infinity for the plain CUSUM. */
  readonly clip: number;
}

/** The sum after one more score: max(0, sum + clipped score - k). */
export function cusumNext(sum: number, score: number, design: CusumDesign): number {
  const clipped = Math.min(Math.max(score, -design.clip), design.clip);
  return Math.max(0, sum + clipped - design.k);
}
