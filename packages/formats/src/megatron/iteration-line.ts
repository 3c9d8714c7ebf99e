import { excerpt, parseNumber } from "../text/number-token.ts";

/** The counter of ` iteration      120/  500000 |`; glued lines hold several. */
const ITERATION = /iteration\s+([^\s/|]+)\s*\/\s*(\d+)\s*\|/y;
/** What stands between two glued lines: ` [2026-11-02 10:11:12.123456] `, `[default3]: `. */
const BETWEEN_LINES = /^\s*(?:\[[^\]]*\]:?\s*)?$/;
const KEY_START = /^[A-Za-z_]/;
/** Forks print the value of the interval with a running mean behind it: `12130.4/12525.5`, `496.3 (avg 496.1)`. */
const WITH_MEAN = /^([^\s/]{1,32})(?:\/[\d.]{1,32}| \(avg [\d.]{1,32}\))$/;
/** `hip mem usage/free/total/usage_ratio: 227.35GB/28.63GB/255.98GB/88.81%`: memory is no training metric. */
const MEMORY_REPORT = /^[\d.]{1,32}Gi?B\//;
/** Found in what another rank wrote into the middle of a value: `9.8[Rank 1] (after 10 iterations)`. */
const GLUE = /[[(]/;

export interface IterationLine {
  readonly iteration: string;
  readonly total: string;
  /** Where `iteration` stands in the text; a time stamp stands before it. */
  readonly at: number;
  /** Fields in their order, with the tool's own names. */
  readonly fields: readonly (readonly [name: string, value: number])[];
  /** Fields that are no number, as `name: text`. */
  readonly unreadable: readonly string[];
}

/** All iteration lines in one text line: none, one, or several that ranks wrote over each other. */
export function iterationLines(text: string, nameOf: (name: string) => string): readonly IterationLine[] {
  const heads: RegExpExecArray[] = [];
  for (let at = text.indexOf("iteration "); at >= 0; at = text.indexOf("iteration ", at + 10)) {
    ITERATION.lastIndex = at;
    const match = ITERATION.exec(text);
    if (match !== null) heads.push(match);
  }
  return heads.map((head, index) => {
    const end = heads[index + 1]?.index ?? text.length;
    return {
      iteration: head[1] ?? "",
      total: head[2] ?? "",
      at: head.index,
      ...readFields(text, head.index + head[0].length, end, nameOf),
    };
  });
}

/** Reads `name: value |` fields from `start` until the end, or until text that another rank wrote in between. */
function readFields(
  text: string,
  start: number,
  end: number,
  nameOf: (name: string) => string,
): Pick<IterationLine, "fields" | "unreadable"> {
  const fields: [string, number][] = [];
  const unreadable: string[] = [];
  for (let from = start; from < end;) {
    const bar = text.indexOf("|", from);
    const stop = bar < 0 || bar > end ? end : bar;
    const colon = text.indexOf(":", from);
    if (colon < 0 || colon >= stop) break;
    const name = text.slice(from, colon).trim();
    const value = text.slice(colon + 1, stop).trim();
    from = stop + 1;
    if (!KEY_START.test(name)) break;
    const number = parseNumber(value) ?? parseNumber(WITH_MEAN.exec(value)?.[1] ?? "");
    if (number !== undefined) {
      fields.push([nameOf(name), number]);
      continue;
    }
    if (MEMORY_REPORT.test(value)) continue;
    unreadable.push(`${name}: ${excerpt(value)}`);
    if (GLUE.test(value)) break;
  }
  return { fields, unreadable };
}

/** True when the text before a counter holds nothing but what log tools put there. */
export function isBetweenLines(text: string): boolean {
  return BETWEEN_LINES.test(text);
}
