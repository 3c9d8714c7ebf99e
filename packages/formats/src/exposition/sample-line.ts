import type { ExpositionFormat } from "./contract.ts";
import { isAtEnd, skipBlanks, takeName, takeQuoted, takeSign, takeWord, type LineCursor } from "./line-cursor.ts";
import { timeOfMs, timeOfSeconds, valueOf } from "./number-text.ts";

export interface SampleLine {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly timeMs: number | null;
  readonly hasExemplar: boolean;
}

/** A reason stands in place of a sample that cannot be read. */
export type SampleLineResult = SampleLine | { readonly fault: string };

/** More than any exporter has; what has more is damage. */
const MOST_LABELS = 256;

interface LabelBlock {
  /** Prometheus 3 writes a name that is no plain word in quotes among the labels: `{"my.metric",a="b"} 1`. */
  readonly quotedName: string | null;
  readonly labels: Record<string, string>;
}

/** Reads `name{label="value",…} value [time] [# {…} value [time]]`. */
export function readSampleLine(text: string, format: ExpositionFormat): SampleLineResult {
  const cursor: LineCursor = { text, at: 0 };
  skipBlanks(cursor);
  const plainName = takeName(cursor, true);
  const gap = cursor.at;
  skipBlanks(cursor);
  const hasBlock = takeSign(cursor, "{");
  const block = hasBlock ? readLabels(cursor) : { quotedName: null, labels: {} };
  if ("fault" in block) return block;
  const name = plainName === "" ? block.quotedName : plainName;
  if (name === null || name === "") return { fault: "no metric name stands at its beginning" };
  if (plainName !== "" && block.quotedName !== null) return { fault: "it names two metrics" };
  if (!hasBlock && cursor.at === gap) return { fault: "no value follows the name" };
  skipBlanks(cursor);
  const word = takeWord(cursor);
  if (word === "") return { fault: "no value follows the name" };
  const value = valueOf(word);
  if (value === null) return { fault: `"${short(word)}" is no number` };
  const time = readTime(cursor, format);
  if (typeof time === "object" && time !== null) return time;
  const exemplar = readExemplar(cursor, format);
  if (typeof exemplar === "object") return exemplar;
  return { name, labels: block.labels, value, timeMs: time, hasExemplar: exemplar };
}

function readLabels(cursor: LineCursor): LabelBlock | { readonly fault: string } {
  const labels: Record<string, string> = Object.create(null);
  let quotedName: string | null = null;
  let count = 0;
  for (skipBlanks(cursor); !takeSign(cursor, "}"); skipBlanks(cursor)) {
    if (count > 0 && !takeSign(cursor, ",")) return { fault: "its labels are not separated by commas or do not close" };
    skipBlanks(cursor);
    // A comma may stand after the last label.
    if (count > 0 && takeSign(cursor, "}")) return { quotedName, labels };
    const isQuoted = cursor.text[cursor.at] === '"';
    const name = isQuoted ? takeQuoted(cursor) : takeName(cursor, false);
    if (name === null || name === "") return { fault: "a label has no name" };
    skipBlanks(cursor);
    if (takeSign(cursor, "=")) {
      skipBlanks(cursor);
      const value = takeQuoted(cursor);
      if (value === null) return { fault: `the value of label ${short(name)} is not in quotes that close` };
      if (name in labels) return { fault: `label ${short(name)} stands twice` };
      labels[name] = value;
    } else {
      if (!isQuoted || quotedName !== null || count > 0) return { fault: `label ${short(name)} has no value` };
      quotedName = name;
    }
    if (++count > MOST_LABELS) return { fault: `it has more than ${MOST_LABELS} labels` };
  }
  return { quotedName, labels };
}

function readTime(cursor: LineCursor, format: ExpositionFormat): number | null | { readonly fault: string } {
  skipBlanks(cursor);
  if (isAtEnd(cursor) || cursor.text[cursor.at] === "#") return null;
  const word = takeWord(cursor);
  const time = format === "text" ? timeOfMs(word) : timeOfSeconds(word);
  return time ?? { fault: `"${short(word)}" is no time in ${format === "text" ? "milliseconds" : "seconds"}` };
}

/** Whether there is one: it is checked and not kept. */
function readExemplar(cursor: LineCursor, format: ExpositionFormat): boolean | { readonly fault: string } {
  skipBlanks(cursor);
  if (isAtEnd(cursor)) return false;
  if (format === "text" || !takeSign(cursor, "#")) return { fault: `"${short(cursor.text.slice(cursor.at))}" follows the value` };
  skipBlanks(cursor);
  if (!takeSign(cursor, "{")) return { fault: "its exemplar has no labels" };
  const block = readLabels(cursor);
  if ("fault" in block) return { fault: `in its exemplar, ${block.fault}` };
  skipBlanks(cursor);
  if (valueOf(takeWord(cursor)) === null) return { fault: "its exemplar has no value" };
  skipBlanks(cursor);
  if (!isAtEnd(cursor) && timeOfSeconds(takeWord(cursor)) === null) return { fault: "the time of its exemplar is no time" };
  skipBlanks(cursor);
  return isAtEnd(cursor) ? true : { fault: "something follows its exemplar" };
}

function short(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
