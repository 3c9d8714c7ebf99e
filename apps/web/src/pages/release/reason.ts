/** A reason shorter than this explains nothing; the server asks for as much. */
export const LEAST_REASON = 10;

/** What is wrong with a reason that has been begun; null where it is enough or not begun. */
export function reasonFault(reason: string): string | null {
  const missing = LEAST_REASON - reason.trim().length;
  if (reason === "" || missing <= 0) return null;
  return `A sentence that somebody else understands: ${missing} more ${missing === 1 ? "character" : "characters"}`;
}

export function isReason(reason: string): boolean {
  return reason.trim().length >= LEAST_REASON;
}
