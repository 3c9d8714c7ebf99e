import { refuse } from "./pickle-cursor.ts";

/** `I` of protocol 0: a whole number, or a truth as `00` and `01`. */
export function intLine(line: string, offset: number): number | boolean {
  if (line === "00" || line === "01") return line === "01";
  return wholeNumber(line, offset);
}

/** `L` of protocol 0: a whole number, with an L behind it. */
export function longLine(line: string, offset: number): number {
  return wholeNumber(line.endsWith("L") ? line.slice(0, -1) : line, offset);
}

const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);

/** `F` of protocol 0: a float as Python's repr writes it. */
export function floatLine(line: string, offset: number): number {
  const special = SPECIAL.get(line);
  if (special !== undefined) return special;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(line)
    ? Number(line)
    : refuse(`${JSON.stringify(line.slice(0, 32))}, which is no number,`, offset);
}

/** `S` of protocol 0: a Python 2 string as its repr, quotes and all. */
export function quotedLine(line: string, offset: number): string {
  const quote = line.at(0);
  if (line.length < 2 || (quote !== "'" && quote !== '"') || line.at(-1) !== quote) return refuse("a string without its quotes", offset);
  return line.slice(1, -1).replace(/\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)/g, (_, code: string) => escaped(code));
}

/** `V` of protocol 0: text in which only `\uXXXX` and `\UXXXXXXXX` are escapes. */
export function unicodeLine(line: string): string {
  return line.replace(/\\u([0-9a-fA-F]{4})|\\U00([0-9a-fA-F]{6})/g, (whole: string, short?: string, long?: string) => {
    const point = Number.parseInt(short ?? long ?? "", 16);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", f: "\f", v: "\v" };

function escaped(code: string): string {
  if (/^x[0-9a-fA-F]{2}$/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
  return ESCAPES[code] ?? code;
}

function wholeNumber(line: string, offset: number): number {
  return /^[+-]?\d{1,310}$/.test(line) ? Number(line) : refuse(`${JSON.stringify(line.slice(0, 32))}, which is no whole number,`, offset);
}
