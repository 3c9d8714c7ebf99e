/**
 * What is looked at of a line. No line that tells something is longer, and expressions that look at a mebibyte of damage would cost seconds.
 */
export const MAX_LOOKED_AT = 8_192;

/** Longest text of an event (`fleetEventSchema`). */
const MAX_TEXT = 2000;
const MAX_SUB_CODE = 64;

/** A log line as an event's text: storable, without line breaks, cut at 2,000 characters. */
export function eventText(text: string): string {
  return cut(clean(text), MAX_TEXT);
}

/** Null where nothing is left. */
export function subCode(text: string | undefined): string | null {
  const cleaned = text === undefined ? "" : cut(clean(text), MAX_SUB_CODE);
  return cleaned === "" ? null : cleaned;
}

function clean(text: string): string {
  return text
    .replaceAll("\0", "")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/\s+/g, " ")
    .trim();
}

/** Cuts between characters, not in the middle of one. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 2);
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 2 : length - 1)}…`;
}
