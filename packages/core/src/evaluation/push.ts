import { z } from "zod";
import { textSchema } from "../text.ts";
import { evalRecordSchema } from "./record.ts";

/** Records in one part: a part is one transaction, and its answer is kept. */
export const MOST_EVAL_RECORDS = 2_000;
/** Parts of one file: two thousand million records, and a number that the database holds. */
const MOST_EVAL_PARTS = 1_000_000;

/**
 * `ingest.evals`: one part of one file of evaluation results. The same (file, run, part) again stores nothing and counts what was accepted as repeated; with another body it is a conflict.
 * Samples of a file count once its last part is there.
 */
export const evalPushSchema = z.object({
  file: z.object({
    name: textSchema.min(1).max(1024),
    /** Of the file's bytes, hex. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Id of the format that read it. */
    format: textSchema.min(1).max(64),
  }),
  /** The run whose checkpoints were evaluated; null: models that stand for themselves. */
  run: z
    .object({ project: textSchema.trim().min(1).max(256), name: textSchema.trim().min(1).max(256) })
    .nullable()
    .default(null),
  part: z.number().int().nonnegative().lt(MOST_EVAL_PARTS),
  last: z.boolean(),
  records: z.array(evalRecordSchema).max(MOST_EVAL_RECORDS),
});
export type EvalPush = z.infer<typeof evalPushSchema>;
export type EvalPushInput = z.input<typeof evalPushSchema>;

export interface EvalPushAnswer {
  readonly accepted: number;
  /** Stored before, with the same content. */
  readonly repeated: number;
  readonly refused: readonly { readonly index: number; readonly code: "conflict" | "bad-value"; readonly message: string }[];
  /** What the records speak of. */
  readonly scorecards: readonly {
    readonly scorecardId: number;
    readonly model: string;
    readonly step: number | null;
    readonly checkpointId: number | null;
  }[];
}
