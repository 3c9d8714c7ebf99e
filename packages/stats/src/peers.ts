import { MAD_TO_SIGMA, median, medianAbsoluteDeviation } from "./median.ts";

/** Fewer peers than this say nothing about what is usual. */
const MIN_PEERS = 8;

/** What is usual among peers, and how far they lie apart. */
export interface PeerScale {
  readonly centre: number;
  /** As a standard deviation; above zero. */
  readonly sigma: number;
}

/**
 * Scale of a value among its peers, itself one of them: median, and median absolute deviation as a standard deviation, so that a few sick peers
 * do not move it. A spread below `floor`, the last digit that is written, counts as that digit: peers that read alike must not make a difference
 * of nothing look like a fault, and one that differs from all others must not go unseen. Null where peers are too few. Values are finite.
 */
export function peerScale(values: ArrayLike<number>, floor: number): PeerScale | null {
  if (values.length < MIN_PEERS) return null;
  const centre = median(values);
  return { centre, sigma: Math.max(MAD_TO_SIGMA * medianAbsoluteDeviation(values, centre), floor) };
}
