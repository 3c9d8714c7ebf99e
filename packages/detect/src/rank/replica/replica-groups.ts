import type { RankPlacement } from "@trainwatch/core";
import { layoutHash } from "../cohorts.ts";

/** Ranks that must hold the same parameters: those of the same tensor rank, pipeline stage and expert group. */
export interface ReplicaGroups {
  /** Tells layouts apart. */
  readonly layout: string;
  /** Whether the layout is told; without it all ranks are one group, of which nobody knows whether it is one. */
  readonly told: boolean;
  /** Ranks of each group, ascending. */
  readonly groups: readonly (readonly number[])[];
}

export function replicaGroupsOf(placements: Iterable<RankPlacement>, ranks: number): ReplicaGroups {
  const groups = new Map<string, number[]>();
  const placed = [...placements].filter(({ dp, tp, pp, ep }) => (dp ?? tp ?? pp ?? ep) !== null);
  for (const placement of placed) {
    const key = keyOf(placement);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [placement.rank]);
    else group.push(placement.rank);
  }
  if (groups.size === 0) return { layout: "untold", told: false, groups: [Array.from({ length: ranks }, (_, rank) => rank)] };
  const sorted = [...groups.values()].map((group) => group.sort((a, b) => a - b));
  return { layout: `groups ${layoutHash(placed, keyOf)}`, told: true, groups: sorted };
}

function keyOf({ tp, pp, ep }: RankPlacement): string {
  return [tp, pp, ep].map(String).join("/");
}

export type GroupVerdict =
  | { readonly kind: "equal" | "not-comparable" }
  /** The ranks that hold something else than most, or all of them where there is no majority. */
  | { readonly kind: "unequal"; readonly wrong: readonly number[]; readonly of: number; readonly majority: boolean };

const SILENT: GroupVerdict = { kind: "not-comparable" };

/**
 * Compares what the ranks of a group report. Where no two replicas were ever equal they hold shards of their own, and there is nothing to compare.
 *
 * @param most share that must agree for the others to be wrong
 * @param agreed whether the group has been seen equal before
 */
export function compareGroup(group: readonly number[], values: Float64Array, most: number, agreed: boolean): GroupVerdict {
  const counts = new Map<number, number>();
  let reporting = 0;
  for (const rank of group) {
    const value = values[rank] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    reporting++;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (reporting < 2) return SILENT;
  if (counts.size === 1) return { kind: "equal" };
  const [mode, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  const majority = count > most * reporting;
  if (!majority && !agreed) return SILENT;
  const differs = (rank: number): boolean => Number.isFinite(values[rank] ?? Number.NaN) && (!majority || values[rank] !== mode);
  return { kind: "unequal", wrong: group.filter(differs), of: reporting, majority };
}
