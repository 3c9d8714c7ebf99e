import type { DrawTable } from "@trainwatch/stats";
import { meansAndCovariance, pairedDifference, tieGroups } from "@trainwatch/stats";
import type { Joins } from "./align.ts";
import type { JointEstimates } from "./joint.ts";
import { hasValue } from "./reading.ts";
import type { Reading } from "./reading.ts";

export interface RowOrder {
  readonly order: readonly number[];
  readonly tieGroups: readonly (readonly number[])[];
}

const NO_ORDER: RowOrder = { order: [], tieGroups: [] };

export interface OrderContext {
  readonly joins: Joins;
  readonly level: number;
  readonly seed: number;
  readonly table: DrawTable;
}

interface Estimates {
  readonly means: readonly number[];
  readonly covariance: readonly ArrayLike<number>[];
  readonly degrees: number;
}

/**
 * Columns best first with the groups that are not told apart: all pairs, at the level for the whole row (detection of a false rank in at most
 * 1 − level of rows). Only columns with a known error that may be compared with the baseline.
 * @param readings by column; null: stands in no group. The baseline, if it is there, first.
 * @param direction 1: higher is better
 */
export function orderRow(
  readings: readonly (Reading | null)[],
  joint: JointEstimates | null,
  direction: 1 | -1,
  { joins, level, seed, table }: OrderContext,
): RowOrder {
  const columns = readings.flatMap((reading, column) => (hasValue(reading) && (reading.error !== null || joint !== null) ? [column] : []));
  if (columns.length < 2) return NO_ORDER;
  const estimates = joint === null ? (paired(readings, columns, joins) ?? independent(readings, columns)) : ofJoint(joint, columns);
  const means = estimates.means.map((mean) => direction * mean);
  const { order, groups } = tieGroups({ means, covariance: estimates.covariance, level, seed, degrees: estimates.degrees, table });
  const named = (places: readonly number[]): readonly number[] => places.map((place) => columns[place] ?? 0);
  return { order: named(order), tieGroups: groups.map(named) };
}

/** Means over the samples that all columns have scored. Null: not all have samples of one scale, or the common ones are under half of the fewest. */
function paired(readings: readonly (Reading | null)[], columns: readonly number[], joins: Joins): Estimates | null {
  const first = readings[columns[0] ?? 0] ?? null;
  const own = first?.samples ?? null;
  if (first === null || own === null) return null;
  const aligned: Float64Array[] = [];
  let fewest = own.n;
  for (const column of columns) {
    const reading = readings[column] ?? null;
    const other = reading?.samples ?? null;
    if (reading === null || other === null || reading.factor !== first.factor) return null;
    fewest = Math.min(fewest, other.n);
    aligned.push(scaled(alignedTo(own.keys, other.keys, other.scores, joins), reading.factor));
  }
  const { means, covariance, n, clusters } = meansAndCovariance(aligned, own.clusters);
  if (n < 2 || n < fewest / 2 || Number.isNaN(covariance[0]?.[0] ?? Number.NaN)) return null;
  return { means: [...means], covariance, degrees: own.clusters === null ? clusters - 1 : fewestDegrees(aligned, own.clusters) };
}

/** Of the differences from the first column: clusters of unequal size are worth fewer than there are. */
function fewestDegrees([first, ...others]: readonly Float64Array[], clusters: Float64Array): number {
  const degrees = others.map((column) => {
    const differences = column.map((score, sample) => score - (first?.[sample] ?? Number.NaN));
    return pairedDifference(differences, { clusters, level: 0.95 }).degrees;
  });
  return Math.min(...degrees.filter((each) => each > 0));
}

function alignedTo(keys: readonly string[], others: readonly string[], scores: Float64Array, joins: Joins): Float64Array {
  if (keys === others) return scores;
  const { places } = joins.align(keys, others);
  const aligned = new Float64Array(places.length);
  for (let sample = 0; sample < places.length; sample++) {
    const place = places[sample] ?? -1;
    aligned[sample] = place < 0 ? Number.NaN : (scores[place] ?? Number.NaN);
  }
  return aligned;
}

const scaled = (scores: Float64Array, factor: number): Float64Array => (factor === 1 ? scores : scores.map((score) => score * factor));

function independent(readings: readonly (Reading | null)[], columns: readonly number[]): Estimates {
  return {
    means: columns.map((column) => readings[column]?.value ?? Number.NaN),
    covariance: columns.map((own) => columns.map((other) => (own === other ? (readings[own]?.error ?? Number.NaN) ** 2 : 0))),
    degrees: Number.POSITIVE_INFINITY,
  };
}

function ofJoint(joint: JointEstimates, columns: readonly number[]): Estimates {
  return {
    means: columns.map((column) => joint.values[column] ?? Number.NaN),
    covariance: columns.map((own) => columns.map((other) => joint.covariance[own]?.[other] ?? Number.NaN)),
    degrees: Number.POSITIVE_INFINITY,
  };
}
