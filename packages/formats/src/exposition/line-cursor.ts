/** Reads one line from left to right. Positions count UTF-16 units. */
export interface LineCursor {
  readonly text: string;
  at: number;
}

const SPACE = 0x20;
const TAB = 0x09;

export function skipBlanks(cursor: LineCursor): void {
  while (isBlank(cursor.text.charCodeAt(cursor.at))) cursor.at++;
}

export function isAtEnd({ text, at }: LineCursor): boolean {
  return at >= text.length;
}

/** What stands before the next blank or the line's end; "" where a blank is next. */
export function takeWord(cursor: LineCursor): string {
  const from = cursor.at;
  while (cursor.at < cursor.text.length && !isBlank(cursor.text.charCodeAt(cursor.at))) cursor.at++;
  return cursor.text.slice(from, cursor.at);
}

/** Whether `sign` is next; it is passed over then. */
export function takeSign(cursor: LineCursor, sign: string): boolean {
  if (!cursor.text.startsWith(sign, cursor.at)) return false;
  cursor.at += sign.length;
  return true;
}

/** A name outside quotes: `node_cpu_seconds_total` up to the `{`, a label up to its `=`. "" where none is next. */
export function takeName(cursor: LineCursor, isMetric: boolean): string {
  const from = cursor.at;
  while (isNameCode(cursor.text.charCodeAt(cursor.at), cursor.at === from, isMetric)) cursor.at++;
  return cursor.text.slice(from, cursor.at);
}

/** A text in quotes; null where the quotes do not close. Backslashes before anything but `\`, `"` and `n` stay as they are. */
export function takeQuoted(cursor: LineCursor): string | null {
  if (!takeSign(cursor, '"')) return null;
  const { text } = cursor;
  const from = cursor.at;
  let hasEscape = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") {
      hasEscape = true;
      at++;
    } else if (sign === '"') {
      cursor.at = at + 1;
      const raw = text.slice(from, at);
      return hasEscape ? unescapeText(raw) : raw;
    }
  }
  return null;
}

export function unescapeText(raw: string): string {
  return raw.replace(/\\([\\"n])/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isNameCode(code: number, isFirst: boolean, isMetric: boolean): boolean {
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;
  if (isLetter || (isMetric && code === 0x3a)) return true;
  return !isFirst && code >= 0x30 && code <= 0x39;
}
