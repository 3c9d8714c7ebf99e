import { createHash } from "node:crypto";
import { fleetEventsPushSchema, type FleetEventsAnswer } from "@trainwatch/core";
import { canonicalJson } from "@trainwatch/store";
import { ingestVerb } from "../procedures.ts";

const eventsInput = fleetEventsPushSchema.refine(({ node }) => node.machineId !== null || node.host !== null, {
  path: ["node"],
  message: "names neither a machine id nor a host",
});

/**
 * Stores events of one node. What it answers is on disk. The same (source, seq) with the same content is counted as repeated and stored once; a
 * push without events says that the source is there and reads its log.
 * @throws AppError `conflict` where (source, seq) was used for another content, `unavailable` where the database is away
 */
export const pushEvents = ingestVerb.input(eventsInput).mutation(({ ctx, input }): Promise<FleetEventsAnswer> => {
  const bodyHash = createHash("sha256").update(canonicalJson(input)).digest("hex");
  return ctx.store.records.fleet.pushEvents(input, bodyHash, ctx.now());
});
