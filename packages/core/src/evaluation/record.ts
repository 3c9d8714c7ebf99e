import { z } from "zod";
import { jsonNumberSchema } from "../non-finite.ts";
import { timeMsSchema } from "../run.ts";
import { textSchema } from "../text.ts";
import { DIMENSIONS } from "./dimension.ts";
import { evalSettingsSchema } from "./settings.ts";

/** What was evaluated: a checkpoint by step or path, or a model by name only. */
export const evalSubjectSchema = z.object({
  /** As the source names it: "EleutherAI/pythia-160m", "checkpoint-1800". */
  model: textSchema.trim().min(1).max(512),
  step: z.number().int().nonnegative().nullable().default(null),
  path: textSchema.max(4096).nullable().default(null),
});
export type EvalSubject = z.infer<typeof evalSubjectSchema>;

const taskSchema = textSchema.trim().min(1).max(512);
const metricSchema = textSchema.trim().min(1).max(128);
const filterSchema = textSchema.max(128).nullable().default(null);
const bodySchema = textSchema.max(262_144).nullable().default(null);

/** One number of one task. Missing is null and never 0; an "N/A" of the source is null. */
export const evalMeasureSchema = z.object({
  kind: z.literal("measure"),
  subject: evalSubjectSchema,
  task: taskSchema,
  metric: metricSchema,
  filter: filterSchema,
  /** In the source's own scale: shares stay shares, per cent stay per cent (`unit` says which). */
  value: jsonNumberSchema,
  /** Standard error as the source prints it. */
  stderr: jsonNumberSchema.refine((error) => typeof error !== "number" || error >= 0, "no standard error is below 0").default(null),
  /** 95 % interval as the source prints it, low then high. */
  interval: z
    .tuple([z.number(), z.number()])
    .refine(([low, high]) => low <= high, "the interval ends before it begins")
    .nullable()
    .default(null),
  /** Samples behind it. */
  n: z.number().int().nonnegative().nullable().default(null),
  /** As the source tells; null: our catalogue decides. */
  higherIsBetter: z.boolean().nullable().default(null),
  /** "share", "%", "s", "tokens", "$"…; null: our catalogue decides. */
  unit: textSchema.max(32).nullable().default(null),
  /** Null: our catalogue decides. */
  dimension: z.enum(DIMENSIONS).nullable().default(null),
  /** Of a mean over subtasks: which, and how it was weighted ("micro" by samples, "macro" each task alike); null weighting was not told. */
  group: z
    .object({ subtasks: z.array(taskSchema).max(4096), mean: z.enum(["micro", "macro"]).nullable() })
    .nullable()
    .default(null),
  settings: evalSettingsSchema.default({}),
  evaluatedAtMs: timeMsSchema.nullable().default(null),
});
export type EvalMeasure = z.infer<typeof evalMeasureSchema>;

/** One sample (and epoch) of one task, with its scores by metric. Texts are kept to be read side by side. */
export const evalSampleSchema = z.object({
  kind: z.literal("sample"),
  subject: evalSubjectSchema,
  task: taskSchema,
  filter: filterSchema,
  /** The same for the same sample in every evaluation: document hash, id. Pairs are made by it. */
  key: textSchema.min(1).max(256),
  epoch: z.number().int().nonnegative().default(0),
  /** Null: not scored. Non-finite stays. */
  scores: z.record(metricSchema, jsonNumberSchema),
  /** Samples that share a passage, a document, a conversation. */
  cluster: textSchema.max(256).nullable().default(null),
  /** What the page groups lost samples by: subject, category, error type. */
  category: textSchema.max(256).nullable().default(null),
  prompt: bodySchema,
  target: bodySchema,
  answer: bodySchema,
  /** Tokens of the answer. */
  tokens: z.number().nonnegative().nullable().default(null),
  latencyS: z.number().nonnegative().nullable().default(null),
  /** Of samples that come without measures. */
  settings: evalSettingsSchema.default({}),
  /** Tells a repeated evaluation's samples from those of the one before: the same time as its measures. */
  evaluatedAtMs: timeMsSchema.nullable().default(null),
});
export type EvalSample = z.infer<typeof evalSampleSchema>;

/** One judgement between two answers to one prompt. */
export const evalPairSchema = z.object({
  kind: z.literal("pair"),
  task: taskSchema,
  key: textSchema.min(1).max(256),
  left: evalSubjectSchema,
  right: evalSubjectSchema,
  /** Share of the judgement for the right one: 1 wins, 0 loses, 0.5 a tie; null: not judged. */
  preference: z.number().min(0).max(1).nullable(),
  /** In the unit of `lengthUnit`. */
  leftLength: z.number().nonnegative().nullable().default(null),
  rightLength: z.number().nonnegative().nullable().default(null),
  lengthUnit: z.enum(["characters", "tokens"]).default("characters"),
  judge: textSchema.max(256).nullable().default(null),
  category: textSchema.max(256).nullable().default(null),
  prompt: bodySchema,
  leftAnswer: bodySchema,
  rightAnswer: bodySchema,
});
export type EvalPair = z.infer<typeof evalPairSchema>;

/** The source lists a checkpoint and no score of it: a registry. */
export const evalCheckpointSchema = z.object({ kind: z.literal("checkpoint"), subject: evalSubjectSchema });
export type EvalCheckpoint = z.infer<typeof evalCheckpointSchema>;

export const evalRecordSchema = z.discriminatedUnion("kind", [evalMeasureSchema, evalSampleSchema, evalPairSchema, evalCheckpointSchema]);
export type EvalRecord = z.infer<typeof evalRecordSchema>;
export type EvalRecordInput = z.input<typeof evalRecordSchema>;
