import type { LockedRun } from "@trainwatch/store";
import type { SiftedColumn } from "./sift.ts";

export interface WithoutRepeats {
  readonly columns: readonly SiftedColumn[];
  readonly repeated: number;
}

interface Known {
  readonly value: number;
  readonly timeMs: number;
}

/**
 * Takes out of a push what is stored already, where it is a log sent again: all its points on steps that the run has are the run's own, of
 * whichever attempt. One that differs makes it a restart, and then all its points stay: a learning rate may well be the same in both.
 *
 * @param ids of the series of each column, in the order of `columns`.
 */
export async function withoutRepeats(
  run: Pick<LockedRun, "stored">,
  columns: readonly SiftedColumn[],
  ids: readonly number[],
): Promise<WithoutRepeats> {
  const stepped = columns.flatMap((column, index) =>
    column.hasSteps ? [{ seriesId: ids[index] ?? 0, step: column.step, timeMs: column.timeMs }] : [],
  );
  const stored = await run.stored(stepped);
  if (stored.size === 0) return { columns, repeated: 0 };
  const kept: SiftedColumn[] = [];
  let repeated = 0;
  for (const [index, column] of columns.entries()) {
    const parts = stored.get(ids[index] ?? 0);
    if (parts === undefined || !column.hasSteps) {
      kept.push(column);
      continue;
    }
    const fresh = freshPlaces(column, parts);
    if (fresh === null) return { columns, repeated: 0 };
    repeated += column.step.length - fresh.length;
    kept.push(pickPlaces(column, fresh));
  }
  return { columns: kept, repeated };
}

/** Places whose step has nothing stored; null where a step has, and not this point. */
function freshPlaces(
  { step, value, timeMs }: SiftedColumn,
  stored: readonly { readonly count: number; readonly step: Float64Array; readonly value: Float64Array; readonly timeMs: Float64Array }[],
): number[] | null {
  const wanted = new Set(step);
  const known = new Map<number, Known[]>();
  for (const part of stored) {
    for (let index = 0; index < part.count; index++) {
      const at = part.step[index] ?? 0;
      if (!wanted.has(at)) continue;
      const here = { value: part.value[index] ?? 0, timeMs: part.timeMs[index] ?? Number.NaN };
      const others = known.get(at);
      if (others === undefined) known.set(at, [here]);
      else others.push(here);
    }
  }
  const fresh: number[] = [];
  for (let index = 0; index < step.length; index++) {
    const others = known.get(step[index] ?? 0);
    if (others === undefined) fresh.push(index);
    else if (!others.some((other) => isSame(other, value[index] ?? 0, timeMs[index] ?? Number.NaN))) return null;
  }
  return fresh;
}

function isSame(known: Known, value: number, timeMs: number): boolean {
  const isSameValue = known.value === value || (known.value !== known.value && value !== value);
  return isSameValue && (known.timeMs === timeMs || known.timeMs !== known.timeMs || timeMs !== timeMs);
}

function pickPlaces(column: SiftedColumn, indices: readonly number[]): SiftedColumn {
  if (indices.length === column.step.length) return column;
  const pick = (from: Float64Array): Float64Array => Float64Array.from(indices, (index) => from[index] ?? 0);
  return {
    ...column,
    places: Uint32Array.from(indices, (index) => column.places[index] ?? 0),
    step: pick(column.step),
    timeMs: pick(column.timeMs),
    value: pick(column.value),
  };
}
