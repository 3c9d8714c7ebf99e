import { type Lineage, type LineageCorrection, type LineagePoint, placeBatch } from "@trainwatch/core";
import type { SiftedColumn } from "./sift.ts";

/** Points of one column that belong to one attempt and writer. */
export interface PlacedColumn {
  readonly column: SiftedColumn;
  readonly attempt: string;
  readonly writer: string | null;
  /** Lone far jumps: stored apart and left out of watermarks. */
  readonly far: boolean;
  /** Places within the sifted column, rising. */
  readonly members: readonly number[] | "all";
}

export interface PushedPoint extends LineagePoint {
  readonly column: number;
  readonly at: number;
}

/**
 * Finds the attempt and writer of every point, one by one. Corrections are to be applied, in order, to what earlier pushes have stored.
 * @param keys of the series of each column, in the order of `columns`.
 */
export function placePoints(
  lineage: Lineage<PushedPoint>,
  columns: readonly SiftedColumn[],
  keys: readonly string[],
): { readonly placed: readonly PlacedColumn[]; readonly corrections: readonly LineageCorrection[] } {
  const { placed, corrections } = placeBatch(lineage, pointsInStep(columns, keys));
  const groups = new Map<string, { column: SiftedColumn; attempt: string; writer: string | null; far: boolean; members: number[] }>();
  // Neighbours mostly go to the same place: the text of a key is made only where that changes.
  const lastOf = new Map<number, { attempt: string; writer: string | null; far: boolean; members: number[] }>();
  for (const { point, placement } of placed) {
    const far = placement.flag === "far-step";
    const last = lastOf.get(point.column);
    if (last !== undefined && last.attempt === placement.attempt && last.writer === placement.writer && last.far === far) {
      last.members.push(point.at);
      continue;
    }
    const key = JSON.stringify([point.column, placement.attempt, placement.writer, far]);
    const column = columns[point.column];
    if (column === undefined) continue;
    const group = groups.get(key) ?? { column, attempt: placement.attempt, writer: placement.writer, far, members: [] };
    groups.set(key, group);
    lastOf.set(point.column, group);
    group.members.push(point.at);
  }
  for (const group of groups.values()) group.members.sort((a, b) => a - b);
  return { placed: [...groups.values()], corrections };
}

/** Most pushes only go on: then each column goes whole to one place, and nothing but its own series matters. Null where a point needs more than that. */
export function placePlainly(
  lineage: Lineage<PushedPoint>,
  columns: readonly SiftedColumn[],
  keys: readonly string[],
): readonly PlacedColumn[] | null {
  const placements = lineage.goOn(columns.map(({ step, value }, index) => ({ series: keys[index] ?? "", step, value })));
  if (placements === null) return null;
  return columns.flatMap((column, index): PlacedColumn[] => {
    const placement = placements[index];
    return placement === undefined ? [] : [{ column, attempt: placement.attempt, writer: placement.writer, far: false, members: "all" }];
  });
}

/**
 * The points of all columns side by side, as they were logged: a row of equal columns at a time, shorter columns spread over the whole.
 * A restart inside a push then lies at the same place in all of them.
 */
function* pointsInStep(columns: readonly SiftedColumn[], keys: readonly string[]): Generator<PushedPoint> {
  const longest = Math.max(0, ...columns.map((column) => column.places.length));
  const next = columns.map(() => 0);
  for (let row = 1; row <= longest; row++) {
    for (let column = 0; column < columns.length; column++) {
      const { places, step, timeMs, value } = columns[column] ?? EMPTY;
      const end = Math.floor((row * places.length) / longest);
      for (let at = next[column] ?? 0; at < end; at++) {
        const time = timeMs[at] ?? Number.NaN;
        yield {
          series: keys[column] ?? "",
          step: step[at] ?? 0,
          timeMs: Number.isNaN(time) ? null : time,
          value: value[at] ?? 0,
          column,
          at,
        };
      }
      next[column] = end;
    }
  }
}

const EMPTY: SiftedColumn = {
  series: 0,
  hasSteps: true,
  places: new Uint32Array(),
  step: new Float64Array(),
  timeMs: new Float64Array(),
  value: new Float64Array(),
};
