import type { Dimension, DimensionScore, ReleaseRow } from "@trainwatch/core";
import { DIMENSIONS } from "@trainwatch/core";
import { normalQuantile } from "@trainwatch/stats";
import type { ReleaseInput } from "./contract.ts";
import { isMeasuredAlike } from "./judge-cell.ts";
import type { JudgedRow } from "./judged-row.ts";
import { hasValue } from "./reading.ts";

/** What may be weighed against each other. Safety has a score of its own, cost and what is lost against the baseline have none; none of them is ever averaged with these. */
export const QUALITY_DIMENSIONS: readonly Dimension[] = ["capability", "tool-calls", "refusal", "feel", "calibration"];

interface Part {
  readonly task: string;
  /** By column: goodness from 0 to 1 and its error. */
  readonly scores: readonly { readonly value: number; readonly error: number }[];
}

/**
 * Mean goodness by dimension, from 0 to 1 (1 − value where lower is better): over the tasks that all columns have run alike, each task alike, a task
 * being the mean of its rows. Values without a scale (perplexity, ratings) cannot be averaged and stay out, and so do subtasks of a
 * suite that is there as a whole. Errors: rows of one task as if they moved together, tasks as independent.
 */
export function dimensionScores(
  judged: readonly JudgedRow[],
  rows: readonly ReleaseRow[],
  { level, columns }: ReleaseInput,
): readonly DimensionScore[] {
  const z = normalQuantile((1 + level) / 2);
  const common = judged.filter(isCommon);
  const inSuites = new Set(common.flatMap(({ readings }) => readings[0]?.measure.group?.subtasks ?? []));
  return DIMENSIONS.filter((dimension) => dimension !== "cost" && dimension !== "regression").flatMap((dimension): DimensionScore[] => {
    const own = common.filter((row) => row.description.dimension === dimension && !inSuites.has(row.entry.task));
    if (own.length === 0) {
      const exists = rows.some((row) => row.dimension === dimension);
      return exists ? [{ dimension, rows: 0, scores: columns.map(() => null) }] : [];
    }
    const parts = own.map(partOf);
    return [{ dimension, rows: own.length, scores: columns.map((_, column) => meanOver(parts, column, z)) }];
  });
}

/** A row that every column has a value in, measured alike, on a scale from nothing to all. A value off its scale is of another one that nobody told. */
function isCommon({ description, direction, readings, judgements }: JudgedRow): boolean {
  if (description.range === "open" || direction === 0) return false;
  const most = description.range === "percent" ? 100 : 1;
  if (!readings.every((reading) => hasValue(reading) && reading.value >= 0 && reading.value <= most)) return false;
  return judgements.every(isMeasuredAlike);
}

function partOf({ entry, description, direction, readings }: JudgedRow): Part {
  const scale = description.range === "percent" ? 100 : 1;
  return {
    task: entry.task,
    scores: readings.map((reading) => {
      const share = (reading?.value ?? Number.NaN) / scale;
      return { value: direction === 1 ? share : 1 - share, error: (reading?.error ?? Number.NaN) / scale };
    }),
  };
}

function meanOver(parts: readonly Part[], column: number, z: number): { value: number; low: number | null; high: number | null } {
  const tasks = new Map<string, { value: number; error: number; rows: number }>();
  for (const { task, scores } of parts) {
    const { value, error } = scores[column] ?? { value: Number.NaN, error: Number.NaN };
    const sum = tasks.get(task) ?? { value: 0, error: 0, rows: 0 };
    tasks.set(task, { value: sum.value + value, error: sum.error + error, rows: sum.rows + 1 });
  }
  let total = 0;
  let variance = 0;
  for (const { value, error, rows } of tasks.values()) {
    total += value / rows;
    variance += (error / rows) ** 2;
  }
  const value = total / tasks.size;
  const half = (z * Math.sqrt(variance)) / tasks.size;
  return Number.isNaN(half) ? { value, low: null, high: null } : { value, low: Math.max(0, value - half), high: Math.min(1, value + half) };
}
