import { formatFixed, MISSING, MISSING_QUANTITY, type Quantity } from "./number.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A span in the largest two units that matter: `1.4 s`, `16 min`, `2 h 08 min`, `3 d 4 h`. Negative spans are not durations
 * (a clock was set back) and are shown as missing.
 */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return MISSING;
  if (ms < 9.95 * SECOND) return `${formatFixed(ms / SECOND, 1)} s`;
  if (ms < 59.5 * SECOND) return `${Math.round(ms / SECOND)} s`;
  if (ms < 59.5 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  if (ms < DAY) {
    const minutes = Math.round(ms / MINUTE);
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  }
  const hours = Math.round(ms / HOUR);
  return `${formatFixed(Math.floor(hours / 24), 0)} d ${hours % 24} h`;
}

/** The same span with its unit apart, for readouts: `2` `s`, `6` `min`. From an hour on the unit stays in the text. */
export function formatSpan(ms: number | null | undefined): Quantity {
  const text = formatDuration(ms);
  if (text === MISSING) return MISSING_QUANTITY;
  const parts = text.split(" ");
  const [value, unit] = parts;
  return parts.length === 2 && value !== undefined && unit !== undefined ? { text: value, unit } : { text, unit: "" };
}

/** `16 min ago`, `in 3 h 05 min`, `now` within half a second either way. */
export function formatRelative(ms: number | null | undefined, nowMs: number): string {
  if (ms === null || ms === undefined) return MISSING;
  const age = nowMs - ms;
  if (Math.abs(age) < 500) return "now";
  return age > 0 ? `${formatDuration(age)} ago` : `in ${formatDuration(-age)}`;
}
