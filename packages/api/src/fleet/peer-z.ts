import { peerScale } from "@trainwatch/stats";

/** Of a metric that the catalogue does not know. */
const UNKNOWN_DIGITS = 3;

/** How far a value lies from what it and its peers read, in standard deviations; null where they are too few. */
export function peerZ(value: number, others: readonly number[], digits = UNKNOWN_DIGITS): number | null {
  const scale = peerScale([value, ...others], 10 ** -digits);
  return scale === null ? null : (value - scale.centre) / scale.sigma;
}
