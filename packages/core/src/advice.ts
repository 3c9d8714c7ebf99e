import { z } from "zod";

export const ACTIONS = ["wait", "rollback", "skip-data", "lower-lr", "replay", "isolate", "investigate"] as const;
export type Action = (typeof ACTIONS)[number];

/** ≥ 90 % of draws is strong, 70 to 90 % likely, below that not settled (detection.md E.7). */
export const CONFIDENCE_WORDS = ["strong", "likely", "not settled"] as const;

export const adviceSchema = z.object({
  action: z.enum(ACTIONS),
  checkpointStep: z.number().int().nullable(),
  skipFromStep: z.number().int().nullable(),
  skipToStep: z.number().int().nullable(),
  subjects: z.array(z.string()),
  /** Of `wait`: the step at which to look again; null where there is nothing to wait for. */
  waitUntilStep: z.number().int().nullable().default(null),
  /** Where the proposal is to keep what was before a held-out score turned: the step of the fitted peak. Left out elsewhere. */
  turningPointStep: z.number().int().optional(),
  /** Steps thrown away by the action. */
  lostSteps: z.number().int().nullable(),
  lostGpuHours: z.number().nullable(),
  /** Why a cost is null: what is not known and how to give it. */
  costUnknown: z.string().nullable(),
  /**
   * How sure. `share` is the share of draws in which the action is best, or of the belief that it rests on (that the hardware is the cause); of `investigate`, which chooses nothing,
   * that of the likeliest cause, with its word. Null where nothing was weighed.
   */
  confidence: z.object({ word: z.enum(CONFIDENCE_WORDS), share: z.number().min(0).max(1).nullable() }),
  reasons: z.array(z.string()),
  /** Checkpoints not taken, newest first, each with why. */
  rejected: z.array(z.object({ step: z.number().int(), why: z.string() })),
  /** The other actions considered, cheapest first, with expected cost where known and why each is not taken. */
  alternatives: z.array(
    z.object({
      action: z.enum(ACTIONS),
      checkpointStep: z.number().int().nullable(),
      expectedGpuHours: z.number().nullable(),
      expectedSteps: z.number().nullable(),
      why: z.string(),
    }),
  ),
  /** Attempt and incident findings the advice rests on. */
  attempt: z.string(),
  findingIds: z.array(z.string()),
});
export type Advice = z.infer<typeof adviceSchema>;
