import type { PairColumn } from "./contract.ts";

/** Judgements of one task: the opponent that most columns share, and each column's judgements against it. */
export interface PreferenceTask {
  readonly task: string;
  readonly opponent: string;
  /** By column; null: not judged against that opponent. */
  readonly pairs: readonly (PairColumn | null)[];
}
