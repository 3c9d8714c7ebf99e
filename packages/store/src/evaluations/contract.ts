import type { CheckpointState, EvalPush, EvalPushAnswer, EvalRecord, EvalSettings, JsonNumber } from "@trainwatch/core";

/** A scorecard with where it stands: its own run and step, else those of the checkpoint that a person has attached. */
export interface StoredScorecard {
  readonly scorecardId: number;
  readonly model: string;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string } | null;
  /** The run that its results were imported for, whatever checkpoint it was attached to. */
  readonly ownRunId: number | null;
  readonly step: number | null;
  readonly path: string | null;
  /** Attached, else the model checkpoint of the run and step: the one on today's path, else of the newest attempt. */
  readonly checkpointId: number | null;
  readonly checkpointState: CheckpointState | null;
}

/** The newest result of one row of one scorecard. */
export interface StoredResult {
  readonly resultId: number;
  readonly scorecardId: number;
  readonly fileId: number;
  readonly file: string;
  readonly task: string;
  readonly metric: string;
  readonly filter: string | null;
  /** May be non-finite; null is missing. */
  readonly value: number | null;
  readonly stderr: number | null;
  readonly interval: readonly [number, number] | null;
  readonly n: number | null;
  readonly higherIsBetter: boolean | null;
  readonly unit: string | null;
  readonly dimension: string | null;
  readonly group: { readonly subtasks: readonly string[]; readonly mean: "micro" | "macro" | null } | null;
  readonly settings: EvalSettings;
  readonly evaluatedAtMs: number | null;
  readonly importedAtMs: number;
}

/** Samples of one task and filter from one file, all parts of which are there. Columns are of equal length. */
export interface StoredSampleSet {
  readonly setId: number;
  readonly fileId: number;
  readonly scorecardId: number;
  readonly task: string;
  readonly filter: string | null;
  readonly settings: EvalSettings;
  /** `key`, or `key#epoch` where there are several epochs; unique. */
  readonly keys: readonly string[];
  readonly epochs: number;
  /** By metric; NaN: not scored. */
  readonly scores: ReadonlyMap<string, Float64Array>;
  readonly tokens: Float64Array | null;
  readonly latencies: Float64Array | null;
  readonly clusters: readonly (string | null)[] | null;
  readonly categories: readonly (string | null)[] | null;
  /** `promptNumber` of each sample's prompt, NaN where it is not told; null: of none, or stored before they were kept. */
  readonly prompts: Float64Array | null;
  readonly importedAtMs: number;
}

export interface PairSide {
  readonly scorecardId: number;
  readonly model: string;
  readonly step: number | null;
}

/** Judgements between two models' answers to the prompts of one task. Columns are of equal length. */
export interface StoredPairSet {
  readonly setId: number;
  readonly fileId: number;
  readonly task: string;
  readonly judge: string | null;
  readonly left: PairSide;
  readonly right: PairSide;
  readonly lengthUnit: string | null;
  readonly keys: readonly string[];
  /** Share for the right one; NaN: not judged. */
  readonly preferences: Float64Array;
  /** NaN: unknown. */
  readonly leftLengths: Float64Array;
  readonly rightLengths: Float64Array;
}

/** Texts of one sample of a set. */
export interface StoredSampleText {
  readonly prompt: string | null;
  readonly target: string | null;
  readonly answer: string | null;
  readonly tokens: number | null;
  readonly latencyS: number | null;
  readonly scores: Readonly<Record<string, JsonNumber>>;
}

export interface EvaluationColumns {
  readonly results: readonly StoredResult[];
  /** Of each scorecard, task and filter: the newest, and those of the files whose results are in force. Newest first. */
  readonly samples: readonly StoredSampleSet[];
  /** Newest first. */
  readonly pairs: readonly StoredPairSet[];
}

/** A record that is none, with what is wrong with it: it is refused alone. */
export interface BadRecord {
  readonly kind: "bad";
  readonly message: string;
}

export interface EvalPart extends Omit<EvalPush, "records"> {
  readonly records: readonly (EvalRecord | BadRecord)[];
}

export interface Evaluations {
  /**
   * Stores one part of a file, all of it or nothing; what it answers is on disk. The same part again is answered the same.
   * @throws AppError `conflict` where this part of the file was stored with another content (`bodyHash`), or the parts do not fit together
   */
  push(part: EvalPart, bodyHash: string, nowMs: number): Promise<EvalPushAnswer>;
  /** All that a comparison of these scorecards reads: no texts. Of one task only where one is named. */
  columns(scorecardIds: readonly number[], task?: string): Promise<EvaluationColumns>;
  /** Texts of samples of a set by their names in {@link StoredSampleSet.keys}; those it does not have are left out. */
  texts(setId: number, keys: readonly string[]): Promise<ReadonlyMap<string, StoredSampleText>>;
}
