const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** The lines of a stretch of whole lines, without their breaks. */
export function linesOf(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(NEWLINE, at);
    const stop = end < 0 ? text.length : end;
    lines.push(text.toString("utf8", at, stop > at && text[stop - 1] === CARRIAGE_RETURN ? stop - 1 : stop));
    at = stop + 1;
  }
  return lines;
}
