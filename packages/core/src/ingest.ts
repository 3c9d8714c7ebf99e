import { z } from "zod";
import { nonFiniteWordSchema } from "./non-finite.ts";
import { checkpointSchema, runMetadataSchema, timeMsSchema } from "./run.ts";
import { freeFactsSchema, textSchema } from "./text.ts";

/** Steps beyond this are refused as impossible rather than flagged: they do not fit a double exactly. */
export const MAX_STEP = Number.MAX_SAFE_INTEGER;

const MAX_ATTEMPT_NAME = 128;
const name = textSchema.trim().min(1).max(256);
export const labelsSchema = z
  .record(textSchema.min(1).max(64), textSchema.max(256))
  .refine((labels) => Object.keys(labels).length <= 16, "at most 16 labels a series");
export type Labels = z.infer<typeof labelsSchema>;

/** One column of samples of one series. `step` or `time` (or both) has the length of `value`. */
export const pushColumnSchema = z.object({
  /** Index into `series`. */
  series: z.number().int().nonnegative(),
  step: z.array(z.number()).optional(),
  /** Epoch milliseconds, UTC. */
  time: z.array(z.number().nullable()).optional(),
  /** Null without an entry in `nonFinite` is missing: counted, never stored as zero. */
  value: z.array(z.number().nullable()),
  nonFinite: z.array(z.tuple([z.number().int().nonnegative(), nonFiniteWordSchema])).default([]),
});

export const pushEventSchema = z.object({
  kind: textSchema.min(1).max(64),
  step: z.number().int().nullable().default(null),
  timeMs: timeMsSchema.nullable().default(null),
  text: textSchema.max(2000),
});

/** Which rank runs where: a few fields are known (`attempt`, `rank`, `node`, `gpuUuid`), the rest is kept as it is. */
const assignmentSchema = freeFactsSchema.refine(({ attempt }) => typeof attempt !== "string" || attempt.length <= MAX_ATTEMPT_NAME, {
  path: ["attempt"],
  message: `is longer than ${MAX_ATTEMPT_NAME} characters`,
});

/** `ingest.push`: at most 1,024 series and 4,096 columns of any number of points; the body limit is 64 MiB. */
export const pushSchema = z.object({
  /** Who sends: host, process, file. Sequence numbers count within it. */
  source: name,
  seq: z.number().int().nonnegative(),
  run: z.object({ project: name, name }),
  /** What the source calls the launch. Without it attempts are told apart by falling steps. */
  attempt: textSchema.trim().min(1).max(MAX_ATTEMPT_NAME).optional(),
  metadata: runMetadataSchema.partial().optional(),
  series: z
    .array(z.object({ metric: name, labels: labelsSchema.default({}), unit: textSchema.max(32).optional() }))
    .max(1024)
    .default([]),
  columns: z.array(pushColumnSchema).max(4096).default([]),
  checkpoints: z
    .array(checkpointSchema.omit({ attempt: true }))
    .max(1024)
    .default([]),
  events: z.array(pushEventSchema).max(1024).default([]),
  /** Rank to GPU: fields of the assignment file. */
  assignments: z.array(assignmentSchema).max(65536).default([]),
  /** The source says that the run has ended, and how. */
  ended: z.enum(["finished", "crashed"]).optional(),
});
export type Push = z.infer<typeof pushSchema>;
export type PushInput = z.input<typeof pushSchema>;

export const REFUSAL_CODES = [
  "bad-step",
  "bad-time",
  "no-axis",
  "length-mismatch",
  "unknown-series",
  "bad-index",
  "negative-duration",
  "bad-value",
] as const;

export const pushAnswerSchema = z.object({
  accepted: z.number().int(),
  repeated: z.number().int(),
  /** Samples that were null (missing): neither accepted nor refused. */
  missing: z.number().int(),
  /** Listed to 1,000; `refusedTotal` counts all. */
  refused: z.array(z.object({ series: z.number().int(), index: z.number().int(), code: z.enum(REFUSAL_CODES), message: z.string() })),
  refusedTotal: z.number().int(),
  /** Accepted with a remark: a far step kept out of watermarks, a constant step, a second value on one step. */
  flagged: z.array(z.object({ series: z.number().int(), index: z.number().int(), code: z.string(), message: z.string() })),
  attempt: z.string(),
  runId: z.number().int(),
});
export type PushAnswer = z.infer<typeof pushAnswerSchema>;
