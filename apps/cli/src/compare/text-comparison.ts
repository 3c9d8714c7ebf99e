import {
  DIMENSIONS,
  DIMENSION_TITLES,
  fromJsonNumber,
  sayFixed as say,
  sayInteger,
  VERDICT_WORDS,
  type ReleaseCell,
  type ReleaseComparison,
  type ReleaseRow,
} from "@trainwatch/core";
import { textTable } from "../frame/text-table.ts";

/** A line this long is cut at its task: a table that wraps cannot be read. */
const MOST_TITLE = 44;

export interface TextOptions {
  /** Rows with a verdict "worse" only. */
  readonly onlyRegressions: boolean;
}

/** The comparison as a terminal shows it: columns, rows by dimension with verdict words, and what cannot be said. */
export function textComparison(comparison: ReleaseComparison, { onlyRegressions }: TextOptions): string {
  const { columns, rows, family } = comparison;
  const shown = onlyRegressions ? rows.filter(isRegression) : rows;
  const lines = [
    textTable(
      ["", "model", "step", "better", "worse", "tie", "not comparable", "missing"],
      columns.map(({ letter, model, step, counts }, index) => [
        letter,
        model,
        step === null ? "–" : sayInteger(step),
        ...(index === 0
          ? ["baseline"]
          : [counts.better, counts.worse, counts.tie, counts["not-comparable"], counts.missing + counts["not-run"]].map(sayInteger)),
      ]),
    ),
    `\n${familyWords(family)}\n`,
    ...DIMENSIONS.flatMap((dimension) => {
      const own = shown.filter((row) => row.dimension === dimension);
      if (own.length === 0) return [];
      const head = [DIMENSION_TITLES[dimension], "n", ...columns.map(({ letter }) => letter), "order"];
      return [
        `\n${textTable(
          head,
          own.map((row) => [
            titleOf(row),
            countOf(row),
            ...row.cells.map((cell, index) => cellText(row, cell, index)),
            orderText(row, comparison),
          ]),
        )}`,
      ];
    }),
    ...(onlyRegressions && shown.length < rows.length
      ? [`\nShown: ${sayInteger(shown.length)} of ${sayInteger(rows.length)} rows, those that got worse.\n`]
      : []),
    ...reasons(comparison, shown),
    ...comparison.notes.map((note) => `\n${note}\n`),
  ];
  return lines.join("");
}

export function isRegression(row: ReleaseRow): boolean {
  return row.cells.some(({ verdict }) => verdict === "worse");
}

function familyWords({ tests, correction, level, margin }: ReleaseComparison["family"]): string {
  const name = correction === "holm" ? "Holm" : "Benjamini–Hochberg";
  return `${sayInteger(tests)} tests together, ${name} at ${say((1 - level) * 100, 1)} %. A loss up to ${say(margin * 100, 1)} points does not matter (--margin).`;
}

function titleOf({ title, settings }: ReleaseRow): string {
  const text = settings === "" ? title : `${title} (${settings})`;
  return text.length <= MOST_TITLE ? text : `${text.slice(0, MOST_TITLE - 1)}…`;
}

function countOf({ cells }: ReleaseRow): string {
  const n = cells[0]?.n ?? null;
  return n === null ? "–" : sayInteger(n);
}

/** The baseline's value with its interval; of a candidate value, difference and verdict. */
function cellText(row: ReleaseRow, cell: ReleaseCell, index: number): string {
  const value = fromJsonNumber(cell.value);
  if (cell.verdict === "not-run") return VERDICT_WORDS["not-run"];
  if (value === null) return VERDICT_WORDS.missing;
  const said = `${say(value * row.scale, row.digits)}${row.unit === "" ? "" : ` ${row.unit}`}`;
  // What is counted against the baseline is the comparison itself.
  if (index === 0 || row.dimension === "regression") {
    return cell.low === null || cell.high === null ? said : `${said} ±${say(((cell.high - cell.low) / 2) * row.scale, row.digits)}`;
  }
  if (cell.verdict === "not-comparable" || cell.delta === null) return `${said} ${VERDICT_WORDS[cell.verdict]}`;
  const half =
    cell.deltaLow === null || cell.deltaHigh === null ? "" : ` ±${say(((cell.deltaHigh - cell.deltaLow) / 2) * row.scale, row.digits)}`;
  return `${said} (${signed(cell.delta * row.scale, row.digits)}${half}) ${VERDICT_WORDS[cell.verdict]}`;
}

/** Best first; those that are not told apart stand in brackets. A column may stand in two of them: then they are written one after the other. */
function orderText(row: ReleaseRow, { columns }: ReleaseComparison): string {
  const letter = (column: number): string => columns[column]?.letter ?? "?";
  return row.tieGroups.map((group) => (group.length === 1 ? group.map(letter).join("") : `[${group.map(letter).join(" ")}]`)).join(" ");
}

/** Why cells are not comparable or missing, each reason once with how often. */
function reasons({ columns }: ReleaseComparison, rows: readonly ReleaseRow[]): string[] {
  const counted = new Map<string, number>();
  for (const row of rows)
    for (const [index, cell] of row.cells.entries()) {
      if (cell.verdict !== "not-comparable" && cell.verdict !== "missing") continue;
      const why =
        cell.verdict === "not-comparable"
          ? cell.differences
              .filter(({ forbids }) => forbids)
              .map(({ title, baseline, candidate }) => `${title} ${candidate ?? "not told"} vs ${baseline ?? "not told"}`)
              .join(", ")
          : cell.notes.join(" ");
      if (why === "") continue;
      const line = `${columns[index]?.letter ?? "?"} ${VERDICT_WORDS[cell.verdict]}: ${why}`;
      counted.set(line, (counted.get(line) ?? 0) + 1);
    }
  const lines = [...counted].map(([line, count]) => `${line}${count === 1 ? "" : ` (${sayInteger(count)} rows)`}\n`);
  return lines.length === 0 ? [] : ["\n", ...lines];
}

function signed(value: number, digits: number): string {
  const said = say(value, digits);
  return value > 0 ? `+${said}` : said;
}
