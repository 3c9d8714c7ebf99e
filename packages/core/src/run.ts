import { z } from "zod";
import { textSchema } from "./text.ts";

/** The last millisecond of JavaScript's calendar. */
export const MAX_TIME_MS = 8.64e15;
/** Epoch milliseconds, UTC. */
export const timeMsSchema = z.number().min(0).max(MAX_TIME_MS);

/** `silent`: no data for longer than expected. `crashed` only when confirmed by the source. */
export const RUN_STATES = ["running", "silent", "stalled", "crashed", "finished"] as const;
export type RunState = (typeof RUN_STATES)[number];

export const CHECKPOINT_STATES = ["verified", "unchecked", "incomplete"] as const;
export type CheckpointState = (typeof CHECKPOINT_STATES)[number];

/** Saved weights at a step. Identity: (run, attempt, step, kind); the path is an attribute. */
export const checkpointSchema = z.object({
  attempt: textSchema,
  step: z.number().int().nonnegative(),
  kind: textSchema.max(64).default("model"),
  path: textSchema.max(4096).nullable().default(null),
  state: z.enum(CHECKPOINT_STATES).default("unchecked"),
  savedAtMs: timeMsSchema.nullable().default(null),
  /** Why it stands in that state: "1 shard missing", "replica hashes agree". */
  reason: textSchema.max(2000).nullable().default(null),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** One launch of a run. `name` counts from a1 in the order of launch. */
export interface Attempt {
  readonly name: string;
  readonly parent: string | null;
  /** Last step of the parent that the new attempt builds on; null for a start from scratch. */
  readonly branchStep: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  /** How the attempt was told apart: named by the source, a start marker, or the step falling back. */
  readonly origin: "source" | "marker" | "step-fell-back" | "first";
  /** The steps began anew without a word from the source: was it a restart from scratch, or only the counter that was reset? Null where there is no doubt. */
  readonly question: "counter-reset" | null;
  /** What the start marker said; absent unless `origin` is `marker`. */
  readonly startMarker?: string;
}

/** More GPUs than any run has; a larger number is a slip, and would not fit the column. */
const MAX_GPUS = 10_000_000;

/** Facts about a run that turn steps into tokens and GPU-hours; unknown is null, never guessed. */
export const runMetadataSchema = z.object({
  gpus: z.number().int().positive().max(MAX_GPUS).nullable().default(null),
  tokensPerStep: z.number().positive().nullable().default(null),
  targetSteps: z.number().int().positive().nullable().default(null),
  checkpointEvery: z.number().int().positive().nullable().default(null),
  cluster: textSchema.max(256).nullable().default(null),
});
export type RunMetadata = z.infer<typeof runMetadataSchema>;
