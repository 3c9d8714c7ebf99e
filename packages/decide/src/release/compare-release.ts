import type { Gate, ReleaseColumn, ReleaseComparison, ReleaseRow, Verdict } from "@trainwatch/core";
import { DIMENSIONS, VERDICTS } from "@trainwatch/core";
import type { DrawTable } from "@trainwatch/stats";
import { benjaminiHochberg, holmAdjust, newDrawTable } from "@trainwatch/stats";
import { createJoins } from "./align.ts";
import type { Joins } from "./align.ts";
import { allRows } from "./all-rows.ts";
import { breaksOf } from "./breaks.ts";
import { letterOf } from "./column-letter.ts";
import type { ColumnInput, ReleaseInput } from "./contract.ts";
import { dimensionScores } from "./dimension-scores.ts";
import { finishCells, judgeRow, testsOf } from "./judged-row.ts";
import type { JudgedRow, RowContext } from "./judged-row.ts";
import { comparisonNotes } from "./comparison-notes.ts";
import { gateBounds } from "./gate-bounds.ts";
import type { GateBounds } from "./gate-bounds.ts";
import { newlyLostRow } from "./newly-lost-row.ts";
import { paretoOf } from "./pareto.ts";
import { orderRow } from "./row-order.ts";
import { settingWords } from "./setting-words.ts";
import { weightsOf } from "./weights.ts";

/** Resamples of a bootstrap, and how many draws of a sample a whole comparison may cost before Student's t serves instead. */
const DRAWS = 2_000;
const MOST_DRAWN = 1e8;

/**
 * Compares the columns of a release with its baseline, row by row: what may be compared, what differs beyond chance, what is tied, what is missing.
 * The same input gives the same answer.
 */
export function compareRelease(input: ReleaseInput): ReleaseComparison {
  return compareForGates(input, []).comparison;
}

/** A comparison with what its gates ask of it beyond its own level. */
export interface ComparedForGates {
  readonly comparison: ReleaseComparison;
  readonly bounds: GateBounds;
}

export function compareForGates(input: ReleaseInput, gates: readonly Gate[]): ComparedForGates {
  const joins = createJoins();
  const { rows: entries, notes: rowNotes } = allRows(input);
  const draws = bootstrapDraws(input);
  const allowed = new Set(input.allowed.map(({ rowKey, scorecardId }) => `${scorecardId} ${rowKey}`));
  const context: RowContext = {
    joins,
    level: input.level,
    margin: input.margin,
    seed: input.seed,
    draws,
    isAllowed: (key, column) => allowed.has(`${input.columns[column]?.scorecardId ?? 0} ${key}`),
  };
  const own = entries.map((entry) => judgeRow(entry, context));
  const newlyLost = newlyLostRow(own, input, joins);
  const judged = [...own, ...(newlyLost === null ? [] : [newlyLost])].sort(byDimension);
  const { adjusted, tests } = correct(judged, input);
  const table = newDrawTable(input.seed);
  const rows = judged.map((row, place) => finishRow(row, adjusted[place] ?? [], input, joins, table));
  const dimensions = dimensionScores(judged, rows, input);
  const comparison: ReleaseComparison = {
    columns: input.columns.map((column, place) => columnOf(column, place, rows, judged)),
    rows,
    family: { tests, correction: input.correction, level: input.level, margin: input.margin },
    dimensions,
    pareto: paretoOf(judged, dimensions, input.columns.length),
    weights: weightsOf(dimensions, input),
    breaks: breaksOf(own.toSorted(byDimension), input.columns, joins),
    notes: comparisonNotes({ input, rows, tests, rowNotes, bootstrapped: draws > 0 }),
  };
  const judgeAt = (rowKey: string, level: number): JudgedRow | null => {
    if (rowKey === newlyLost?.entry.key) return newlyLostRow(own, { ...input, level }, joins);
    const entry = entries.find(({ key }) => key === rowKey);
    return entry === undefined ? null : judgeRow(entry, { ...context, level });
  };
  return { comparison, bounds: gateBounds(gates, judgeAt) };
}

/** By dimension, else in the order of the sources. */
function byDimension(a: JudgedRow, b: JudgedRow): number {
  return DIMENSIONS.indexOf(a.description.dimension) - DIMENSIONS.indexOf(b.description.dimension);
}

function bootstrapDraws({ columns }: ReleaseInput): number {
  let samples = 0;
  for (const { measures } of columns.slice(1)) for (const measure of measures) samples += bootstrapped(measure.samples?.scores ?? null);
  return samples * DRAWS > MOST_DRAWN ? 0 : DRAWS;
}

/** Pass and fail are not resampled one by one, and from 1,000 samples on t serves. */
function bootstrapped(scores: Float64Array | null): number {
  return scores === null || scores.length >= 1_000 || scores.every((score) => score === 0 || score === 1) ? 0 : scores.length;
}

/** Adjusted p by row and column, over all tests of the comparison together. */
function correct(
  rows: readonly JudgedRow[],
  { correction }: ReleaseInput,
): { adjusted: readonly (readonly (number | null)[])[]; tests: number } {
  const ps = rows.map(testsOf);
  const flat = ps.flatMap((row) => row.map((p) => p ?? Number.NaN));
  const adjusted = correction === "holm" ? holmAdjust(flat) : benjaminiHochberg(flat);
  let place = 0;
  return {
    adjusted: ps.map((row) => row.map(() => numberOrNull(adjusted[place++] ?? Number.NaN))),
    tests: flat.filter((p) => !Number.isNaN(p)).length,
  };
}

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

function finishRow(
  row: JudgedRow,
  adjusted: readonly (number | null)[],
  { level, seed }: ReleaseInput,
  joins: Joins,
  table: DrawTable,
): ReleaseRow {
  const { entry, description, direction, readings, judgements } = row;
  const ordered = readings.map((reading, column) => (column === 0 || judgements[column]?.comparable === true ? reading : null));
  const order =
    direction === 0 || (readings[0]?.value ?? null) === null
      ? null
      : orderRow(ordered, entry.joint, direction, { joins, level, seed, table });
  return {
    key: entry.key,
    task: entry.task,
    metric: entry.metric,
    filter: entry.filter,
    title: description.title,
    dimension: description.dimension,
    unit: description.unit,
    scale: description.scale,
    digits: description.digits,
    better: description.better,
    group: entry.group,
    settings: settingWords(readings.find((reading) => reading !== null)?.measure.settings ?? {}, entry.filter),
    cells: finishCells(row, adjusted, level),
    order: order?.order ?? [],
    tieGroups: order?.tieGroups ?? [],
  };
}

/** Rows that are never judged have no verdict to be counted. */
function columnOf(column: ColumnInput, place: number, rows: readonly ReleaseRow[], judged: readonly JudgedRow[]): ReleaseColumn {
  const counts: Record<Verdict, number> = { better: 0, worse: 0, tie: 0, "not-comparable": 0, missing: 0, "not-run": 0 };
  for (const [index, { cells }] of rows.entries()) {
    if (judged[index]?.unjudged !== null) continue;
    const verdict = cells[place]?.verdict ?? VERDICTS[5];
    counts[verdict]++;
  }
  const { scorecardId, model, run, step, checkpointId, checkpointState, warnings } = column;
  return { scorecardId, letter: letterOf(place), model, run, step, checkpointId, checkpointState, warnings, counts };
}
