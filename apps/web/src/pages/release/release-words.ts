import {
  fromJsonNumber,
  type CellTest,
  type FrozenResult,
  type ReleaseCell,
  type ReleaseColumn,
  type ReleaseComparison,
  type ReleaseDetail,
  type ReleaseRow,
} from "@trainwatch/core";
import { formatCount, formatFixed, formatInteger } from "@trainwatch/ui";
import { columnName, differenceText, rowNumber, VERDICT_WORDS, type RowWords } from "@trainwatch/ui/charts/release";

export const TEST_WORDS = {
  "mcnemar-exact": "exact McNemar on common samples",
  "paired-bootstrap": "bootstrap of paired differences",
  "paired-clustered": "paired differences, errors by cluster",
  "unpaired-z": "difference of two means; no samples in common",
  none: "none",
} as const satisfies Record<CellTest, string>;

const CORRECTION_WORDS = { holm: "Holm", "benjamini-hochberg": "Benjamini–Hochberg" } as const;

/** "B, step 1,800". */
export function columnTitle(column: ReleaseColumn): string {
  return `${column.letter}, ${columnName(column)}`;
}

/** Over the labels: what a cell shows, and how it was tested. */
export function familyWords({ family, rows }: Pick<ReleaseComparison, "family" | "rows">): string {
  const level = `${formatFixed(family.level * 100, family.level > 0.99 ? 1 : 0)} %`;
  const how =
    family.tests === 0
      ? "Nothing tested"
      : `${pairingWords(rows)}, ${CORRECTION_WORDS[family.correction]} over ${formatInteger(family.tests)}`;
  return `Value, difference, ${level} interval, verdict. ${how}.`;
}

/** Where only means are told there is nothing to pair, and the intervals are wider for it. */
function pairingWords(rows: readonly ReleaseRow[]): string {
  const tested = rows.flatMap(({ cells }) => cells.filter(({ test }) => test !== "none"));
  const unpaired = tested.filter(({ test }) => test === "unpaired-z").length;
  if (unpaired === 0) return "Paired tests";
  return unpaired === tested.length ? "Unpaired tests" : "Some paired tests";
}

/** "criteria fixed before the first result". */
export function gatesWords({ gatesFixedAtMs, resultsBeforeGates }: ReleaseDetail): string {
  if (gatesFixedAtMs === null) return "no criteria fixed yet";
  if (resultsBeforeGates === null) return "criteria fixed";
  if (resultsBeforeGates === 0) return "criteria fixed before the first result";
  return `criteria fixed after ${formatCount(resultsBeforeGates, "result")} ${resultsBeforeGates === 1 ? "was" : "were"} there`;
}

/** What a tie means: not told apart is not the same as no loss. */
export function tieSentence(row: ReleaseRow, cell: ReleaseCell): string | null {
  if (cell.verdict !== "tie") return null;
  const more =
    cell.moreSamples === null ? "" : ` About ${formatInteger(cell.moreSamples)} more common samples would settle it, at 80 % power.`;
  if (cell.equivalent === true) return "Not told apart, and a loss beyond the margin is ruled out.";
  const worst = row.better === "lower" ? cell.deltaHigh : cell.deltaLow;
  if (cell.equivalent === false)
    return `Not told apart, which is not the same as no loss: one of ${differenceText(worst, row).replace(/^[+−]/u, "")} is not ruled out.${more}`;
  return `Not told apart. Whether a loss beyond the margin is ruled out cannot be said.${more}`;
}

/** "87.2 %, 85.4 to 89.0". */
export function valueWords(row: ReleaseRow, cell: ReleaseCell): string {
  const value = `${rowNumber(fromJsonNumber(cell.value), row)} ${row.unit}`.trimEnd();
  return cell.low === null || cell.high === null ? value : `${value}, ${rowNumber(cell.low, row)} to ${rowNumber(cell.high, row)}`;
}

/** "87.1 %, better, n 1,319, 41 lost, 63 won": one side of what has changed since it was signed. */
export function frozenWords(row: RowWords, result: FrozenResult | null): string {
  if (result === null) return "not there";
  const { value, verdict, n, lost, won } = result;
  return [
    `${rowNumber(fromJsonNumber(value), row)} ${row.unit}`.trimEnd(),
    VERDICT_WORDS[verdict],
    ...(n === null ? [] : [`n ${formatInteger(n)}`]),
    ...(lost === null || won === null ? [] : [`${formatInteger(lost)} lost`, `${formatInteger(won)} won`]),
  ].join(", ");
}

/** "41 lost, 63 won of 1,319 common samples, 3 without a score". */
export function countsWords(cell: ReleaseCell): string | null {
  if (cell.pairs === null) return null;
  const both = cell.lost === null || cell.won === null ? "" : `${formatInteger(cell.lost)} lost, ${formatInteger(cell.won)} won of `;
  const unscored = cell.unscored > 0 ? `, ${formatInteger(cell.unscored)} without a score` : "";
  return `${both}${formatCount(cell.pairs, "common sample")}${unscored}`;
}
