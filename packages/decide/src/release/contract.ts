import type { CheckpointState, Correction, EvalSettings } from "@trainwatch/core";

/**
 * Scores of one metric over samples, in parallel columns of equal length. Columns of one task share the same list of keys (one object) where they can:
 * it is then joined once.
 */
export interface SampleColumn {
  /** `key`, or `key#epoch` where there are several epochs; unique. Epochs of one sample are one cluster. */
  readonly keys: readonly string[];
  /** NaN: not scored. */
  readonly scores: Float64Array;
  readonly clusters: readonly (string | null)[] | null;
  readonly categories: readonly (string | null)[] | null;
  /** {@link promptNumber} of each sample's prompt, NaN where it is not told; null: of none. What has one key and another prompt is another sample. */
  readonly prompts: Float64Array | null;
  /** How many epochs a sample has: of 1 the keys are whole names, whatever stands in them. Null: not known. */
  readonly epochs: number | null;
}

/**
 * The result in force of one scorecard for one task, metric and filter. Samples without a printed value are a measure of value null: their mean is its
 * value. What each answer took comes in so too, as the metrics `answer_tokens` and `answer_latency` (seconds).
 */
export interface MeasureInput {
  readonly task: string;
  readonly metric: string;
  readonly filter: string | null;
  /** Null: missing ("N/A"); may be non-finite. */
  readonly value: number | null;
  readonly stderr: number | null;
  /** 95 %, as the source prints it. */
  readonly interval: readonly [number, number] | null;
  readonly n: number | null;
  readonly higherIsBetter: boolean | null;
  readonly unit: string | null;
  readonly dimension: string | null;
  readonly group: { readonly subtasks: readonly string[]; readonly mean: "micro" | "macro" | null } | null;
  readonly settings: EvalSettings;
  readonly evaluatedAtMs: number | null;
  readonly samples: SampleColumn | null;
}

/** Judgements between a column's answers and one opponent's; the same opponent makes columns comparable. */
export interface PairColumn {
  readonly task: string;
  /** Name of the opponent, with its step where it has one. */
  readonly opponent: string;
  /** Its scorecard: models of one name are not one model. */
  readonly opponentId: number;
  readonly judge: string | null;
  /** Unique. */
  readonly keys: readonly string[];
  /** Share for this column's answer: 1, 0.5, 0; NaN not judged. */
  readonly preferences: Float64Array;
  /** Length of this column's answer minus the opponent's; NaN where unknown. */
  readonly lengthDifferences: Float64Array;
}

export interface ColumnInput {
  readonly scorecardId: number;
  readonly model: string;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string } | null;
  readonly step: number | null;
  readonly checkpointId: number | null;
  readonly checkpointState: CheckpointState | null;
  /** Last step before a found turning point of its run; null: none found. */
  readonly turningPointStep: number | null;
  readonly warnings: readonly string[];
  readonly measures: readonly MeasureInput[];
  readonly pairs: readonly PairColumn[];
}

export interface ReleaseInput {
  /** The baseline first. */
  readonly columns: readonly ColumnInput[];
  readonly correction: Correction;
  readonly level: number;
  readonly margin: number;
  /** Of the bootstrap and the weightings: the same input and seed give the same answer. */
  readonly seed: number;
  /** Comparisons that a person has allowed, by row key and scorecard. */
  readonly allowed: readonly { readonly rowKey: string; readonly scorecardId: number }[];
  /** Of tasks in the regression risk; 1 where one is not named. */
  readonly taskWeights: Readonly<Record<string, number>>;
}
