import { z } from "zod";
import { textSchema } from "../text.ts";

/** Candidates beside the baseline. */
export const MOST_CANDIDATES = 15;
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
  /** Who has to sign, by role. */
  signers: z.array(textSchema.trim().min(1).max(64)).max(16).default(["Owner"]),
});
export type ReleaseSpec = z.infer<typeof releaseSpecSchema>;
export type ReleaseSpecInput = z.input<typeof releaseSpecSchema>;
