import { AppError, textSchema } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { z } from "zod";
import { required } from "../not-found.ts";
import { operateVerb } from "../procedures.ts";
import { recorded, type Recorded, type VerbContext } from "../recorded.ts";
import { nodeInput } from "./schemas.ts";

const cordonInput = z.object({ nodeId: nodeInput, reason: textSchema.trim().min(1).max(500) });

/** Marks a node as one that nobody should use. Trainwatch only says so: nothing is done to the node or its scheduler. */
export const cordonNode = operateVerb.input(cordonInput).mutation(({ ctx, input: { nodeId, reason } }) =>
  marked(ctx, "fleet.cordon", async ({ fleet }) => {
    const row = required(await fleet.nodeRow(nodeId), "node", nodeId);
    if (!(await fleet.cordon(row, reason, ctx.now()))) throw new AppError("conflict", `Node ${nodeId} is cordoned already.`);
    return { answer: { nodeId }, target: `node:${nodeId}`, details: { reason } };
  }),
);

/** Takes the mark away. */
export const uncordonNode = operateVerb.input(cordonInput).mutation(({ ctx, input: { nodeId, reason } }) =>
  marked(ctx, "fleet.uncordon", async ({ fleet }) => {
    const row = required(await fleet.nodeRow(nodeId), "node", nodeId);
    if (!(await fleet.uncordon(row))) throw new AppError("conflict", `Node ${nodeId} is not cordoned.`);
    return { answer: { nodeId }, target: `node:${nodeId}`, details: { reason } };
  }),
);

/** Whoever marks a node sees the mark on the next page that they open. */
async function marked(
  ctx: VerbContext,
  verb: string,
  act: (records: Records) => Promise<Recorded<{ nodeId: string }>>,
): Promise<{ nodeId: string }> {
  const answer = await recorded(ctx, verb, act);
  ctx.fleetViews.changed();
  return answer;
}
