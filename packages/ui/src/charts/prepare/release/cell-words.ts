import { fromJsonNumber, type ReleaseCell, type ReleaseColumn, type ReleaseRow, type Verdict } from "@trainwatch/core";
import { formatCompact, formatFixed, MISSING } from "../../../format/index.ts";
import type { Tone } from "../../../primitives/tone.ts";

export const VERDICT_WORDS = {
  better: "better",
  worse: "worse",
  tie: "tie",
  "not-comparable": "Not comparable",
  missing: "Missing",
  "not-run": "Not run",
} as const satisfies Record<Verdict, string>;

/** Whether a verdict speaks of a difference; the others are hatched and say why there is none. */
export function isJudged(verdict: Verdict): boolean {
  return verdict === "better" || verdict === "worse" || verdict === "tie";
}

/** How a row writes its numbers. */
export type RowWords = Pick<ReleaseRow, "scale" | "digits" | "unit">;

const COMPACT_FROM = 100_000;

/** A value of the row as written, without its unit: 0.871 of a share is "87.1". */
export function rowNumber(value: number | null, { scale, digits }: RowWords): string {
  if (value === null) return MISSING;
  const shown = value * scale;
  if (Number.isFinite(shown) && Math.abs(shown) >= COMPACT_FROM) {
    const { text, unit } = formatCompact(Math.round(shown));
    return unit === "" ? text : `${text} ${unit}`;
  }
  return formatFixed(shown, digits);
}

/** The unit of a difference: points of per cent are no per cent. */
export function differenceUnit({ unit }: RowWords): string {
  return unit === "%" ? "pp" : unit;
}

function signed(value: number | null, words: RowWords): string {
  if (value === null) return MISSING;
  const text = rowNumber(value, words);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export interface CellWords {
  readonly value: string;
  /** Half the interval of the value: "1.9"; null where no error is known. */
  readonly valueHalf: string | null;
  /** "+3.1"; null where nothing is compared. */
  readonly delta: string | null;
  readonly deltaHalf: string | null;
  readonly verdict: string;
  readonly tone: Tone;
  /** The cell in one sentence: for readers, and on hover. */
  readonly sentence: string;
}

/** "n-shot, task version": what alone forbids a comparison. */
export function forbidding(cell: ReleaseCell): string {
  return cell.differences
    .filter(({ forbids }) => forbids)
    .map(({ title }) => title)
    .join(", ");
}

function verdictWords(cell: ReleaseCell): string {
  const word = VERDICT_WORDS[cell.verdict];
  if (cell.verdict !== "not-comparable") return word;
  const names = forbidding(cell);
  // A row that is only shown: nothing forbids a comparison, and none is made.
  return names === "" ? "Not judged" : `${word}: ${names}`;
}

const TONES = {
  better: "better",
  worse: "worse",
  tie: "label",
  "not-comparable": "label",
  missing: "label",
  "not-run": "label",
} as const satisfies Record<Verdict, Tone>;

function half(low: number | null, high: number | null): number | null {
  return low === null || high === null ? null : (high - low) / 2;
}

export function cellWords(row: RowWords & Pick<ReleaseRow, "title">, column: Pick<ReleaseColumn, "letter">, cell: ReleaseCell): CellWords {
  const judged = isJudged(cell.verdict) && cell.delta !== null;
  const value = rowNumber(fromJsonNumber(cell.value), row);
  const valueHalf = half(cell.low, cell.high);
  const deltaHalf = half(cell.deltaLow, cell.deltaHigh);
  const unit = row.unit === "" ? "" : ` ${row.unit}`;
  const difference = judged
    ? `, ${signed(cell.delta, row)} ${differenceUnit(row)}`.trimEnd() +
      (cell.deltaLow === null ? "" : `, from ${signed(cell.deltaLow, row)} to ${signed(cell.deltaHigh, row)}`)
    : "";
  return {
    value,
    valueHalf: valueHalf === null ? null : rowNumber(valueHalf, row),
    delta: judged ? signed(cell.delta, row) : null,
    deltaHalf: judged && deltaHalf !== null ? rowNumber(deltaHalf, row) : null,
    verdict: verdictWords(cell),
    tone: TONES[cell.verdict],
    sentence: `${row.title}, ${column.letter}: ${value === MISSING ? "no value" : `${value}${unit}`}${difference}, ${verdictWords(cell)}${
      cell.overridden ? ", comparison allowed in spite of what differs" : ""
    }${cell.verdict === "tie" && cell.equivalent === false ? ", a loss beyond the margin is not ruled out" : ""}`,
  };
}

/** A number with its sign, in the row's own digits and unit: "−0.7 pp". */
export function differenceText(value: number | null, row: RowWords): string {
  return `${signed(value, row)} ${differenceUnit(row)}`.trimEnd();
}

/** p as people read it: three digits, and never 0. */
export function pText(p: number | null): string {
  if (p === null) return MISSING;
  return p < 0.001 ? "< 0.001" : formatFixed(p, 3);
}
