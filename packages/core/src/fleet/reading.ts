/** The bits by which Prometheus says that a series has ended (B8). JavaScript may lose a NaN's bits: look at the bytes. */
export const STALE_HIGH_BITS = 0x7ff00000;
export const STALE_LOW_BITS = 0x00000002;

/** Whether the 8 bytes at `at`, a little-endian double, are the stale marker and no value. */
export function isStaleMarker(view: DataView, at: number): boolean {
  return view.getUint32(at, true) === STALE_LOW_BITS && view.getUint32(at + 4, true) === STALE_HIGH_BITS;
}

/**
 * How a cell of a fleet view is to be drawn. `none`: never seen at that time. `stale`: the last sample is too old, or the series has ended.
 * `invalid`: a sentinel or a value out of its field's bounds (E5). `non-finite`: NaN or an infinity that the source has sent as a value.
 */
export const READING_STATES = ["ok", "none", "stale", "invalid", "non-finite"] as const;
export type ReadingState = (typeof READING_STATES)[number];

/** A reading older than this says how it was: three scrapes a minute apart have failed to come. */
export const STALE_AFTER_MS = 3 * 60_000;
