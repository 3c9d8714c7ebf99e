import { operateVerb } from "../procedures.ts";
import { actOnIncident } from "./act.ts";
import { incidentWithReasonInput } from "./schemas.ts";

export const resolveIncident = operateVerb.input(incidentWithReasonInput).mutation(({ ctx, input: { incidentId, reason } }) =>
  actOnIncident(ctx, {
    verb: "incidents.resolve",
    incidentId,
    action: { kind: "resolve", actor: ctx.actor.name },
    timeline: { kind: "resolved", text: "Resolved" },
    reason,
  }),
);
