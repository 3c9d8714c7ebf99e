import type { FleetEventPage } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { entityIdInput, eventKindsInput, nodeInput, timeInput } from "./schemas.ts";

const eventsInput = z.object({
  nodeId: nodeInput.nullable().default(null),
  entityIds: z.array(entityIdInput).max(64).nullable().default(null),
  kinds: eventKindsInput,
  fromMs: timeInput.nullable().default(null),
  toMs: timeInput.nullable().default(null),
  ...pageInput,
});

/** What happened on nodes, newest first; a burst is one entry with its count. */
export const listEvents = readVerb
  .input(eventsInput)
  .query(async ({ ctx, input: { nodeId: id, ...question } }): Promise<FleetEventPage> => {
    const { fleet } = ctx.store.records;
    const nodeId = id === null ? null : required(await fleet.nodeRow(id), "node", id);
    return fleet.events({ ...question, nodeId });
  });
