import { stripAnsi } from "./ansi.ts";
import { decodeUtf8 } from "./utf8-decoder.ts";

/** The non-empty lines of a head, colours removed; the last one may be cut. */
export function headLines(head: Uint8Array): readonly string[] {
  return stripAnsi(decodeUtf8(head).replaceAll("\0", ""))
    .split(/[\r\n]+/)
    .filter((line) => line !== "");
}

/** How many lines match. */
export function countMatches(lines: readonly string[], pattern: RegExp): number {
  return lines.reduce((count, line) => count + (pattern.test(line) ? 1 : 0), 0);
}
