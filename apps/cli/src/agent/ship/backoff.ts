const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/**
 * How long to wait after so many failures in a row: doubling up to a minute, of which a random half, so that ten thousand agents do not
 * come back at the same moment. What the server asks for (`Retry-After`) is waited for in full, at most ten minutes.
 * @param random 0 to below 1
 */
export function backoffMs(failures: number, retryAfterMs: number | null, random: () => number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16));
  const own = ceiling * (0.5 + 0.5 * random());
  return Math.max(own, Math.min(retryAfterMs ?? 0, 10 * LONGEST_MS));
}
