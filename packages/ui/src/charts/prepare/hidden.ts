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
  const parts = [zeros > 0 ? formatCount(zeros, "zero") : null, negatives > 0 ? formatCount(negatives, "negative") : null].filter((part) => part !== null);
  return { zeros, negatives, at, text: `${formatInteger(total)} hidden: ${parts.join(", ")}` };
}
