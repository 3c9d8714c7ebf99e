import { stripAnsi } from "./ansi.ts";
import { withoutCollectorStamp } from "./collector-stamp.ts";
import { decodeUtf8 } from "./utf8-decoder.ts";

/** The non-empty lines of a head as the program wrote them, colours and collector stamps removed; the last one may be cut. */
export function headLines(head: Uint8Array): readonly string[] {
  return stripAnsi(decodeUtf8(head).replaceAll("\0", ""))
    .split(/[\r\n]+/)
    .map((line) => withoutCollectorStamp(line).text)
    .filter((line) => line !== "");
}

/** How many lines match. */
export function countMatches(lines: readonly string[], pattern: RegExp): number {
  return lines.reduce((count, line) => count + (pattern.test(line) ? 1 : 0), 0);
}
