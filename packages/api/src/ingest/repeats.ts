import type { LockedRun } from "@trainwatch/store";
import { Extent } from "./attempt-spans.ts";
import type { SiftedColumn } from "./sift.ts";

export interface WithoutRepeats {
  readonly columns: readonly SiftedColumn[];
  readonly repeated: number;
  /** What was taken out, by the id of the attempt that has it, in the order of the push. */
  readonly owners: ReadonlyMap<number, Extent>;
}

interface Known {
  readonly attemptId: number;
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
  if (stored.size === 0) return { columns, repeated: 0, owners: NOBODY };
  const kept: SiftedColumn[] = [];
  const owners: Owners = { sure: new Map(), perhaps: new Map() };
  let repeated = 0;
  for (const [index, column] of columns.entries()) {
    const parts = stored.get(ids[index] ?? 0);
    if (parts === undefined || !column.hasSteps) {
      kept.push(column);
      continue;
    }
    const fresh = freshPlaces(column, parts, owners);
    if (fresh === null) return { columns, repeated: 0, owners: NOBODY };
    repeated += column.step.length - fresh.length;
    kept.push(pickPlaces(column, fresh));
  }
  return { columns: kept, repeated, owners: owners.sure.size > 0 ? owners.sure : owners.perhaps };
}

/** What attempts have of a push: points that one alone has say so, points of several (a constant learning rate) only where no other does. */
interface Owners {
  readonly sure: Map<number, Extent>;
  readonly perhaps: Map<number, Extent>;
}

const NOBODY: WithoutRepeats["owners"] = new Map();

interface StoredPart {
  readonly attemptId: number;
  readonly count: number;
  readonly step: Float64Array;
  readonly value: Float64Array;
  readonly timeMs: Float64Array;
}

/**
 * Places whose step has nothing stored; null where a step has, and not this point.
 * @param owners gets what the other places have. Where several attempts have the same point, it goes on with the one of the point before.
 */
function freshPlaces({ step, value, timeMs }: SiftedColumn, stored: readonly StoredPart[], owners: Owners): number[] | null {
  const known = pointsAt(stored, new Set(step));
  const fresh: number[] = [];
  let owner: number | null = null;
  for (let index = 0; index < step.length; index++) {
    const others = known.get(step[index] ?? 0);
    if (others === undefined) {
      fresh.push(index);
      continue;
    }
    const same = others.filter((other) => isSame(other, value[index] ?? 0, timeMs[index] ?? Number.NaN));
    const found: Known | undefined = same.find((other) => other.attemptId === owner) ?? same[0];
    if (found === undefined) return null;
    owner = found.attemptId;
    const extents = same.every((other) => other.attemptId === owner) ? owners.sure : owners.perhaps;
    const extent = extents.get(owner) ?? new Extent();
    extents.set(owner, extent);
    extent.take(step[index], found.timeMs);
  }
  return fresh;
}

function pointsAt(stored: readonly StoredPart[], wanted: ReadonlySet<number>): ReadonlyMap<number, readonly Known[]> {
  const known = new Map<number, Known[]>();
  for (const part of stored) {
    for (let index = 0; index < part.count; index++) {
      const at = part.step[index] ?? 0;
      if (!wanted.has(at)) continue;
      const here = { attemptId: part.attemptId, value: part.value[index] ?? 0, timeMs: part.timeMs[index] ?? Number.NaN };
      const others = known.get(at);
      if (others === undefined) known.set(at, [here]);
      else others.push(here);
    }
  }
  return known;
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
