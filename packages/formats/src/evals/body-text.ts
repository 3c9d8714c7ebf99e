/** Longest text kept of a prompt, a target or an answer, in characters. */
const MOST_BODY_CHARS = 262_144;
const CUT = "…";

/** A text to be read side by side; what is longer is cut and ends with "…". */
export function bodyText(text: string): string {
  return text.length <= MOST_BODY_CHARS ? text : text.slice(0, MOST_BODY_CHARS - CUT.length) + CUT;
}
