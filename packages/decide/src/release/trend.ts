import type { TrendView } from "@trainwatch/core";
import { sayInteger } from "@trainwatch/core";
import { trendPeak } from "@trainwatch/stats";
import { allRows } from "./all-rows.ts";
import type { ColumnInput } from "./contract.ts";
import { readMeasure } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { describeRow } from "./rows.ts";
import type { RowEntry } from "./rows.ts";

export interface TrendOptions {
  /** Confidence of the intervals of values and of the peak. */
  readonly level: number;
  readonly seed: number;
}

/** Simulated draws a peak: the edge of a 95 % interval is then known to about one per cent of chance. */
const DRAWS = 600;

/** Every measure of one run over its checkpoints, each with its peak, for scorecards of known steps. Settings that change on the way are the reader's to see. */
export function trendViews(columns: readonly ColumnInput[], options: TrendOptions): readonly TrendView[] {
  const ordered = columns
    .flatMap((column) => (column.step === null ? [] : [{ ...column, step: column.step }]))
    .sort((a, b) => a.step - b.step);
  if (ordered.length === 0) return [];
  const input = { columns: ordered, correction: "holm", margin: 0.01, allowed: [], taskWeights: {}, ...options } as const;
  return allRows(input).rows.flatMap((row) => {
    const view = trendView(row, ordered, options);
    return view === null ? [] : [view];
  });
}

interface Point {
  readonly step: number;
  readonly scorecardId: number;
  readonly reading: Reading;
}

function trendView(
  row: RowEntry,
  columns: readonly (ColumnInput & { readonly step: number })[],
  { level, seed }: TrendOptions,
): TrendView | null {
  const { range: _range, ...description } = describeRow(row);
  const points = columns.flatMap(({ step, scorecardId }, column): readonly Point[] => {
    const cell = row.cells[column] ?? null;
    return cell === null ? [] : [{ step, scorecardId, reading: readMeasure(cell.measure, describeRow(row), { level, notes: cell.notes }) }];
  });
  if (points.length === 0) return null;
  return {
    key: row.key,
    ...description,
    points: points.map(({ step, scorecardId, reading }) => ({
      step,
      scorecardId,
      value: reading.value,
      low: reading.low,
      high: reading.high,
    })),
    ...peakOf(points, description.better, { level, seed }),
  };
}

function peakOf(points: readonly Point[], better: TrendView["better"], { level, seed }: TrendOptions): Pick<TrendView, "peak" | "why"> {
  if (better === "none") return { peak: null, why: "Which way is better is not known." };
  const sign = better === "higher" ? 1 : -1;
  const found = trendPeak({
    steps: points.map(({ step }) => step),
    values: points.map(({ reading }) => (reading.value === null ? Number.NaN : sign * reading.value)),
    errors: points.map(({ reading }) => reading.error ?? Number.NaN),
    level,
    seed,
    draws: DRAWS,
  });
  if ("why" in found) return { peak: null, why: found.why };
  const step = (place: number): number => points[place]?.step ?? 0;
  const [best, low, high] = [step(found.index), step(found.lowIndex), step(found.highIndex)];
  const span = low === high ? "" : ` (${sayInteger(low)} to ${sayInteger(high)} at ${sayInteger(Math.round(level * 100))} %)`;
  const end = found.isSettled
    ? "; later checkpoints are told apart from it"
    : found.isLast
      ? "; still the last one"
      : "; the last one is not told apart from it";
  return {
    peak: {
      step: best,
      low,
      high,
      confidence: level,
      isLast: found.isLast,
      method: found.method,
      text: `Best at step ${sayInteger(best)}${span}${end}`,
    },
    why: null,
  };
}
