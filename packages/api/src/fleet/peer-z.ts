/** Fewer peers than this say nothing about what is usual. */
const MIN_PEERS = 8;
/** A median absolute deviation of a normal distribution is its standard deviation times this. */
const MAD_OF_SIGMA = 0.6745;

/**
 * How far a value lies from its peers, in standard deviations estimated from their median and median absolute deviation, so that a few sick peers
 * do not move the scale. Null where they are too few, or more than half of them agree in one value.
 */
export function robustZ(value: number, peers: readonly number[]): number | null {
  if (peers.length < MIN_PEERS) return null;
  const centre = medianOf(peers);
  const spread = medianOf(peers.map((peer) => Math.abs(peer - centre)));
  return spread === 0 ? null : (MAD_OF_SIGMA * (value - centre)) / spread;
}

function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
