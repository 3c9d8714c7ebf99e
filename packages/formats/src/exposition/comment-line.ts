import { EXPOSITION_TYPES, type ExpositionNote, type ExpositionType } from "./contract.ts";
import { skipBlanks, takeQuoted, takeSign, takeWord, unescapeText, type LineCursor } from "./line-cursor.ts";

/** `eof` is the end mark; null is a comment that says nothing. */
export type CommentLine = ExpositionNote | "eof" | { readonly fault: string } | null;

/** Reads a line that begins with `#`: `# TYPE node_load1 gauge`, `# HELP …`, `# UNIT …`, `# EOF`, or a comment. */
export function readCommentLine(text: string, line: number): CommentLine {
  if (text === "# EOF") return "eof";
  const cursor: LineCursor = { text, at: 0 };
  skipBlanks(cursor);
  takeSign(cursor, "#");
  skipBlanks(cursor);
  const keyword = takeWord(cursor);
  if (keyword !== "TYPE" && keyword !== "HELP" && keyword !== "UNIT") return null;
  skipBlanks(cursor);
  const family = text[cursor.at] === '"' ? takeQuoted(cursor) : takeWord(cursor);
  if (family === null || family === "") return { fault: `${keyword} names no metric` };
  skipBlanks(cursor);
  const rest = text.slice(cursor.at);
  if (keyword !== "TYPE") return { kind: keyword === "HELP" ? "help" : "unit", family, text: unescapeText(rest), line };
  const type = rest.trim();
  return isType(type) ? { kind: "type", family, type, line } : { fault: `"${type.slice(0, 60)}" is no type of a metric` };
}

function isType(text: string): text is ExpositionType {
  return EXPOSITION_TYPES.some((type) => type === text);
}
