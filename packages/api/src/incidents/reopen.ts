import { operateVerb } from "../procedures.ts";
import { actOnIncident } from "./act.ts";
import { incidentWithReasonInput } from "./schemas.ts";

export const reopenIncident = operateVerb.input(incidentWithReasonInput).mutation(({ ctx, input: { incidentId, reason } }) =>
  actOnIncident(ctx, {
    verb: "incidents.reopen",
    incidentId,
    action: { kind: "reopen", actor: ctx.actor.name },
    timeline: { kind: "reopened", text: "Opened again" },
    reason,
  }),
);
