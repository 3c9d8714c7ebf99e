import { createHash } from "node:crypto";
import { fleetEventsPushSchema, hostName, type FleetEventsAnswer } from "@trainwatch/core";
import { canonicalJson } from "@trainwatch/store";
import { clockFault } from "../fleet-ingest/time-bounds.ts";
import { ingestVerb } from "../procedures.ts";

const eventsInput = fleetEventsPushSchema.refine(({ node }) => node.machineId !== null || node.host !== null, {
  path: ["node"],
  message: "names neither a machine id nor a host",
});

/**
 * Stores events of one node. What it answers is on disk. The same (source, seq) with the same content is counted as repeated and stored once; a
 * push without events says that the source is there and reads its log. An event from a clock that was never set, or that runs far ahead, is
 * refused alone: it would stand at the head of every list until its time comes.
 * @throws AppError `conflict` where (source, seq) was used for another content, `unavailable` where the database is away
 */
export const pushEvents = ingestVerb.input(eventsInput).mutation(async ({ ctx, input }): Promise<FleetEventsAnswer> => {
  // Of what was sent: what a version made of it that wrote hosts otherwise is still the same push.
  const bodyHash = createHash("sha256").update(canonicalJson(input)).digest("hex");
  const nowMs = ctx.now();
  const faults = input.events.map(({ timeMs, lastTimeMs }) => clockFault(timeMs, nowMs) ?? clockFault(lastTimeMs ?? timeMs, nowMs));
  const events = input.events.filter((_, index) => faults[index] === null);
  const node = { ...input.node, host: input.node.host === null ? null : hostName(input.node.host) };
  const stored = await ctx.store.records.fleet.pushEvents({ ...input, node, events }, bodyHash, nowMs);
  return { ...stored, refused: faults.flatMap((fault, index) => (fault === null ? [] : [{ index, ...fault }])) };
});
