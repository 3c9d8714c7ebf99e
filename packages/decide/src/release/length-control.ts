import { rowKey, sayInteger } from "@trainwatch/core";
import { bradleyTerry } from "@trainwatch/stats";
import type { BradleyTerryFit } from "@trainwatch/stats";
import type { ColumnInput } from "./contract.ts";
import type { JointEstimates } from "./joint.ts";
import { columnKey, opponentKey } from "./preference-task.ts";
import type { PreferenceTask } from "./preference-task.ts";
import { derivedMeasure } from "./rows.ts";
import type { RowEntry, RowMeasure } from "./rows.ts";

interface Judgements {
  readonly items: readonly string[];
  readonly left: number[];
  readonly right: number[];
  readonly preference: number[];
  readonly lengths: number[];
  /** Judged, but without the length of both answers. */
  readonly without: number;
}

/**
 * Chance to be preferred to the common opponent were both answers of one length: Bradley–Terry over all columns and opponents of the task with the
 * tanh of the standardised length difference as covariate (Dubois et al. 2024). Null: fewer than half of the judgements tell the lengths.
 */
export function lengthControlledRow(
  task: PreferenceTask,
  columns: readonly ColumnInput[],
): { readonly row: RowEntry | null; readonly note: string } | null {
  const judged = judgementsOf(task, columns);
  const used = judged.preference.length;
  if (used < 2 || used < judged.without) return null;
  const spread = deviation(judged.lengths);
  if (spread === 0) return null;
  const fit = bradleyTerry({
    items: judged.items.length,
    left: judged.left,
    right: judged.right,
    preference: judged.preference,
    covariates: [judged.lengths.map((length) => Math.tanh(length / spread))],
  });
  const how = fit.converged ? `converged in ${fit.iterations} rounds` : `not converged after ${fit.iterations} rounds`;
  const note = `Bradley–Terry of ${task.task} with answer length, ${sayInteger(fit.n)} judgements of ${judged.items.length} models: ${how}${fit.why === null ? "" : `; ${fit.why}`}`;
  const reference = judged.items.indexOf(task.opponentKey);
  if (!fit.converged || reference < 0) return { row: null, note };
  const places = columns.map((column) => judged.items.indexOf(columnKey(column)));
  return { row: rowOf(task, columns, winChances(fit, places, reference), note), note };
}

/** Every judgement of the task's judge once: where both are columns, both hold it. */
function judgementsOf({ task, judge }: PreferenceTask, columns: readonly ColumnInput[]): Judgements {
  const place = new Map<string, number>();
  const placeOf = (item: string): number => {
    const known = place.get(item) ?? place.size;
    place.set(item, known);
    return known;
  };
  const judged = { left: [] as number[], right: [] as number[], preference: [] as number[], lengths: [] as number[], without: 0 };
  const done = new Set<string>();
  for (const column of columns) {
    for (const pair of column.pairs) {
      const [own, other] = [columnKey(column), opponentKey(pair, columns)];
      if (pair.task !== task || pair.judge !== judge || done.has(`${other} ${own}`)) continue;
      done.add(`${own} ${other}`);
      const [left, right] = [placeOf(own), placeOf(other)];
      pair.preferences.forEach((preference, sample) => {
        const length = pair.lengthDifferences[sample] ?? Number.NaN;
        if (Number.isNaN(preference)) return;
        if (!Number.isFinite(length)) {
          judged.without++;
          return;
        }
        judged.left.push(left);
        judged.right.push(right);
        judged.preference.push(preference);
        judged.lengths.push(length);
      });
    }
  }
  return { ...judged, items: [...place.keys()] };
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Win chances against the reference at equal length, with their covariance by the delta method. */
function winChances({ ratings, covariance }: BradleyTerryFit, places: readonly number[], reference: number): JointEstimates {
  const rating = (place: number): number => ratings[place] ?? Number.NaN;
  const between = (a: number, b: number): number => covariance[a]?.[b] ?? Number.NaN;
  const values = places.map((place) => (place === reference ? 0.5 : 1 / (1 + Math.exp(rating(reference) - rating(place)))));
  const slopes = values.map((value) => value * (1 - value));
  const covariances = places.map((own, row) =>
    places.map((other, column) => {
      if (own === reference || other === reference) return 0;
      const shared = between(own, other) - between(own, reference) - between(reference, other) + between(reference, reference);
      return (slopes[row] ?? 0) * (slopes[column] ?? 0) * shared;
    }),
  );
  return { values, covariance: covariances };
}

function rowOf(
  { task, opponentKey: reference, judge, pairs }: PreferenceTask,
  columns: readonly ColumnInput[],
  joint: JointEstimates,
  note: string,
): RowEntry {
  const metric = "length_controlled_win_rate";
  const cells = columns.map((input, column): RowMeasure | null => {
    const own = pairs[column] ?? null;
    const pair = own?.judge === judge ? own : null;
    const value = joint.values[column] ?? Number.NaN;
    if ((pair === null && columnKey(input) !== reference) || Number.isNaN(value)) return null;
    const settings = pair === null ? {} : { opponent: pair.opponent, ...(pair.judge === null ? {} : { judge: pair.judge }) };
    const stderr = Math.sqrt(Math.max(0, joint.covariance[column]?.[column] ?? 0));
    const n = pair === null ? null : pair.preferences.filter((preference) => !Number.isNaN(preference)).length;
    return { measure: derivedMeasure({ task, metric, filter: null, settings, value, stderr, n }), notes: [note] };
  });
  return { key: rowKey({ task, metric, filter: null }), task, metric, filter: null, cells, joint, group: null };
}
