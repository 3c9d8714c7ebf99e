/** Erases to the end of the line: the one sequence that commands write themselves, for a line that is written over. */
const ERASE = "\u001B[K";

/** A text for a terminal: names and messages come from files that others wrote, and their control characters would move the cursor, recolour or retitle what is read. */
export function visibleText(text: string): string {
  return text.replace(/\p{Cc}/gu, (sign, at: number) => (isOurs(sign, text, at) ? sign : "\uFFFD"));
}

function isOurs(sign: string, text: string, at: number): boolean {
  if (sign === "\r") return text[at + 1] === "\n" || text.startsWith(ERASE, at + 1);
  return sign === "\n" || sign === "\t" || text.startsWith(ERASE, at);
}
