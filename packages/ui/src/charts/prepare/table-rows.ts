import { singleText } from "./lane-sources.ts";
import type { Lane } from "./lane.ts";

/** One bucket of a lane as a row of the table view. */
export interface TableRow {
  readonly key: string;
  readonly attempt: string;
  /** "rank 37" for a row of a single rank; null for one of the lane's own lines. */
  readonly single: string | null;
  /** Of how many ranks the row is the spread, beside the run's own; null for any other row. */
  readonly spread: number | null;
  readonly superseded: boolean;
  readonly stepFirst: number;
  readonly stepLast: number;
  readonly count: number;
  readonly mean: number | null;
  readonly min: number | null;
  readonly minStep: number | null;
  readonly max: number | null;
  readonly maxStep: number | null;
  readonly nonFinite: number;
}

/** Every bucket the lane draws, in the order of its lines. */
export function tableRows(lane: Lane): readonly TableRow[] {
  return lane.lines.flatMap((line) => {
    const nonFinite = new Map<number, number>();
    for (const [bucket, , count] of line.source.nonFinite) nonFinite.set(bucket, (nonFinite.get(bucket) ?? 0) + count);
    return line.source.x.map((_, index) => ({
      key: `${line.key}-${index}`,
      attempt: line.source.attempt,
      single: line.role === "single" ? singleText(line.source) : null,
      spread: line.role === "spread" ? line.source.members : null,
      superseded: line.role === "superseded",
      stepFirst: line.source.stepFirst[index] ?? 0,
      stepLast: line.source.stepLast[index] ?? 0,
      count: line.source.count[index] ?? 0,
      mean: line.source.mean[index] ?? null,
      min: line.source.min[index] ?? null,
      minStep: line.source.minStep[index] ?? null,
      max: line.source.max[index] ?? null,
      maxStep: line.source.maxStep[index] ?? null,
      nonFinite: nonFinite.get(index) ?? 0,
    }));
  });
}
