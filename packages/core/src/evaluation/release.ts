import { z } from "zod";
import { textSchema } from "../text.ts";

/** Candidates beside the baseline. */
export const MOST_CANDIDATES = 15;
/** Tasks that a release may weigh. */
const MOST_WEIGHTS = 4_096;
export const taskWeightsSchema = z
  .record(textSchema.trim().min(1).max(512), z.number().min(0).max(1_000_000))
  .refine((weights) => Object.keys(weights).length <= MOST_WEIGHTS, `at most ${MOST_WEIGHTS} weights`);

const idSchema = z.number().int().positive().max(2_147_483_647);

export const CORRECTIONS = ["holm", "benjamini-hochberg"] as const;
export type Correction = (typeof CORRECTIONS)[number];

/** What is compared and how; may change until it is signed. */
export const releaseSpecSchema = z.object({
  name: textSchema.trim().min(1).max(128),
  baselineId: idSchema,
  candidateIds: z.array(idSchema).min(1).max(MOST_CANDIDATES),
  correction: z.enum(CORRECTIONS).default("holm"),
  /** Confidence of the intervals; 1 − level is the error rate of the verdicts together. */
  level: z.number().min(0.8).max(0.999).default(0.95),
  /** Loss that does not matter, for "tie, no loss beyond it shown": a share of the value's scale (0.01 is one point of per cent). */
  margin: z.number().positive().max(1).default(0.01),
  /** How much a task counts in the regression risk beside the others; 1 where it is not named, 0: not at all. */
  taskWeights: taskWeightsSchema.default({}),
  /** Who has to sign, by role. */
  signers: z.array(textSchema.trim().min(1).max(64)).max(16).default(["Owner"]),
});
export type ReleaseSpec = z.infer<typeof releaseSpecSchema>;
export type ReleaseSpecInput = z.input<typeof releaseSpecSchema>;
