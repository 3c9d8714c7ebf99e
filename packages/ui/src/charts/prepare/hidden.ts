import type { SeriesLine } from "@trainwatch/core";
import { formatCount, formatInteger } from "../../format/index.ts";

/** What a log axis cannot show (A8): counted from all data, ticked on the floor where it lies. */
export interface HiddenOnLog {
  readonly zeros: number;
  readonly negatives: number;
  /** "2 hidden: 1 zero, 1 negative". */
  readonly text: string;
  /** Positions of the buckets that hold some of them. */
  readonly at: readonly number[];
}

export function hiddenOnLog(zeros: number, negatives: number, at: readonly number[]): HiddenOnLog | null {
  const total = zeros + negatives;
  if (total === 0) return null;
  const parts = [zeros > 0 ? formatCount(zeros, "zero") : null, negatives > 0 ? formatCount(negatives, "negative") : null].filter(
    (part) => part !== null,
  );
  return { zeros, negatives, at, text: `${formatInteger(total)} hidden: ${parts.join(", ")}` };
}

/** Counts from the summaries, places from the buckets whose lowest value is zero or below. */
export function hiddenOf(lines: readonly SeriesLine[]): HiddenOnLog | null {
  let zeros = 0;
  let negatives = 0;
  const at: number[] = [];
  for (const line of lines) {
    zeros += line.summary.zeros;
    negatives += line.summary.negatives;
    line.min.forEach((value, index) => {
      if (value !== null && value <= 0) at.push(line.minX[index] ?? line.x[index] ?? 0);
    });
  }
  return hiddenOnLog(zeros, negatives, at);
}
