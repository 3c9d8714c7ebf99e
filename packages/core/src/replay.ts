import { z } from "zod";
import { textSchema } from "./text.ts";

/**
 * Two different questions (detection.md B.6). `step-elsewhere`: the recorded step on other hardware; was this step corrupted? `device-again`: a
 * run on the suspect; is this device bad? Agreement of the second says little.
 */
export const REPLAY_KINDS = ["step-elsewhere", "device-again"] as const;

export const replaySchema = z.object({
  attempt: textSchema.min(1).max(128),
  /** The step that was replayed; null where a test program ran. */
  step: z.number().int().nonnegative().nullable().default(null),
  kind: z.enum(REPLAY_KINDS),
  outcome: z.enum(["agreed", "disagreed"]),
  /** How many runs had this outcome. */
  runs: z.number().int().min(1).max(1_000_000).default(1),
  gpuId: textSchema.max(256).nullable().default(null),
  nodeId: textSchema.max(256).nullable().default(null),
  note: textSchema.max(2_000).default(""),
});
export type Replay = z.infer<typeof replaySchema>;
export type StoredReplay = Replay & { readonly id: number; readonly actor: string; readonly atMs: number };
