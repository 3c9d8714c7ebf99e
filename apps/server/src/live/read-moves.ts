import type { LiveMove } from "@trainwatch/core";
import { z } from "zod";

const movesSchema = z.array(
  z.object({
    runId: z.number(),
    lastStep: z.number().nullable(),
    samples: z.number(),
    atMs: z.number(),
    incidentsChanged: z.boolean(),
    evaluationsChanged: z.literal(true).exactOptional(),
  }),
);

/**
 * The moves a notification tells of; none where it is not one of ours: anybody on the database may send on the channel, also a server
 * of another version, and an error in the driver's handler would end the process.
 */
export function readMoves(payload: string): readonly LiveMove[] {
  return movesSchema.safeParse(parsed(payload)).data ?? [];
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}
