import type { MeasureDescription, ReleaseCell, Verdict } from "@trainwatch/core";
import { judgeCell, moreSamples } from "./judge-cell.ts";
import type { JudgeContext, Judgement } from "./judge-cell.ts";
import { hasValue, readMeasure } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { describeRow } from "./rows.ts";
import type { RowEntry } from "./rows.ts";

/** A row whose cells are read and tested, before the correction over all tests. */
export interface JudgedRow {
  readonly entry: RowEntry;
  readonly description: MeasureDescription;
  readonly direction: 1 | -1 | 0;
  /** In the row's unit; null: a share of nothing. */
  readonly margin: number | null;
  readonly readings: readonly (Reading | null)[];
  /** By column; null for the baseline and where there is nothing to compare. */
  readonly judgements: readonly (Judgement | null)[];
  /** Why the row is shown and never judged; null: it is. */
  readonly unjudged: string | null;
}

export interface RowContext extends Omit<JudgeContext, "description" | "joint"> {
  /** Loss that does not matter, as a share of the scale. */
  readonly margin: number;
  isAllowed(rowKey: string, column: number): boolean;
}

export function judgeRow(entry: RowEntry, context: RowContext): JudgedRow {
  const description = describeRow(entry);
  const readings = entry.cells.map((cell) =>
    cell === null ? null : readMeasure(cell.measure, description, { level: context.level, notes: cell.notes }),
  );
  const baseline = readings[0] ?? null;
  const judged = { ...context, description, joint: entry.joint };
  return {
    entry,
    description,
    direction: description.better === "none" ? 0 : description.better === "higher" ? 1 : -1,
    margin: marginOf(context.margin, description, baseline?.value ?? null),
    readings,
    judgements: readings.map((reading, column) =>
      column === 0 || !hasValue(baseline) || !hasValue(reading)
        ? null
        : judgeCell(baseline, reading, column, context.isAllowed(entry.key, column), judged),
    ),
    unjudged: null,
  };
}

/** A share of the scale: of 1 for shares, of 100 for per cents, of the baseline's size for what has no end. */
function marginOf(share: number, { range }: MeasureDescription, baseline: number | null): number | null {
  if (range === "open") return baseline === null || baseline === 0 ? null : share * Math.abs(baseline);
  return range === "share" ? share : share * 100;
}

/** Ps that take part in the correction, by candidate. */
export function testsOf(row: JudgedRow): readonly (number | null)[] {
  return row.judgements.map((judgement) => (judgement?.comparable === true ? (judgement.tested?.p ?? null) : null));
}

/** The cells of a row once the adjusted p of each is known. */
export function finishCells(row: JudgedRow, adjusted: readonly (number | null)[], level: number): readonly ReleaseCell[] {
  return row.readings.map((reading, column) => finishCell(row, reading, column, adjusted[column] ?? null, level));
}

const UNTESTED = {
  deltaLow: null,
  deltaHigh: null,
  test: "none",
  p: null,
  adjustedP: null,
  pairs: null,
  lost: null,
  won: null,
  equivalent: null,
  moreSamples: null,
} as const;

function finishCell(row: JudgedRow, reading: Reading | null, column: number, adjustedP: number | null, level: number): ReleaseCell {
  const judgement = row.judgements[column] ?? null;
  const tested = judgement?.tested ?? null;
  const base = {
    value: reading?.shown ?? null,
    low: reading?.low ?? null,
    high: reading?.high ?? null,
    n: reading?.n ?? null,
    unscored: reading?.unscored ?? 0,
    delta: judgement?.delta ?? null,
    differences: judgement?.differences ?? [],
    overridden: judgement?.overridden ?? false,
    evaluatedAtMs: reading?.measure.evaluatedAtMs ?? null,
  };
  const verdict = verdictOf(row, column, adjustedP, level);
  const notes = [...(reading?.notes ?? []), ...(judgement?.notes ?? []), ...verdict.notes];
  if (judgement === null || tested === null) return { ...base, ...UNTESTED, verdict: verdict.word, notes };
  const settled = verdict.word === "tie" && row.direction !== 0 && row.margin !== null ? settle(row, judgement, level) : null;
  return {
    ...base,
    verdict: verdict.word,
    deltaLow: tested.low,
    deltaHigh: tested.high,
    test: tested.test,
    p: judgement.comparable ? tested.p : null,
    adjustedP: judgement.comparable ? adjustedP : null,
    pairs: tested.pairs,
    // Lost is worse: where lower is better, a score that rises is lost.
    lost: row.direction === -1 ? tested.won : tested.lost,
    won: row.direction === -1 ? tested.lost : tested.won,
    equivalent: settled?.equivalent ?? null,
    moreSamples: settled?.moreSamples ?? null,
    notes,
  };
}

function settle({ direction, margin }: JudgedRow, { tested }: Judgement, level: number) {
  if (direction === 0 || margin === null || tested === null) return null;
  const equivalent = tested.nonInferior(direction, margin);
  return { equivalent, moreSamples: equivalent === true ? null : moreSamples(tested, direction * tested.delta, margin, level) };
}

function verdictOf(row: JudgedRow, column: number, adjustedP: number | null, level: number): { word: Verdict; notes: readonly string[] } {
  const reading = row.readings[column] ?? null;
  if (reading === null) return { word: "not-run", notes: [] };
  if (reading.value === null) return { word: "missing", notes: [] };
  if (column === 0) return { word: "tie", notes: [] };
  const judgement = row.judgements[column] ?? null;
  if (judgement === null) return { word: "not-comparable", notes: [row.unjudged ?? "The baseline has no result to compare with"] };
  if (!judgement.comparable) return { word: "not-comparable", notes: [] };
  const delta = judgement.tested?.delta ?? 0;
  if (adjustedP === null || !(adjustedP < 1 - level) || delta === 0) return { word: "tie", notes: [] };
  if (row.direction === 0) return { word: "not-comparable", notes: ["It differs, but which way is better is not known"] };
  return { word: delta * row.direction > 0 ? "better" : "worse", notes: [] };
}
