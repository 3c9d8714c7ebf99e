import { operateVerb } from "../procedures.ts";
import { actOnIncident } from "./act.ts";
import { incidentInput } from "./schemas.ts";

/** "I have it": whoever acknowledges owns the incident. */
export const acknowledgeIncident = operateVerb.input(incidentInput).mutation(({ ctx, input: { incidentId } }) =>
  actOnIncident(ctx, {
    verb: "incidents.acknowledge",
    incidentId,
    action: { kind: "acknowledge", actor: ctx.actor.name },
    timeline: { kind: "acknowledged", text: "Acknowledged" },
    reason: "",
  }),
);
