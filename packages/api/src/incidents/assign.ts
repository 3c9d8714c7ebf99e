import { textSchema } from "@trainwatch/core";
import { z } from "zod";
import { operateVerb } from "../procedures.ts";
import { idInput } from "../page-input.ts";
import { actOnIncident } from "./act.ts";
import { incidentInput } from "./schemas.ts";

const assignInput = z.object({
  incidentId: idInput,
  /** Who is to look after it: a name as people here call each other. */
  owner: textSchema.trim().min(1).max(128),
});

/** Gives an incident to somebody; its state stays as it is. */
export const assignIncident = operateVerb.input(assignInput).mutation(({ ctx, input: { incidentId, owner } }) =>
  actOnIncident(ctx, {
    verb: "incidents.assign",
    incidentId,
    action: { kind: "assign", actor: ctx.actor.name, owner },
    timeline: { kind: "assigned", text: `Assigned to ${owner}` },
    reason: "",
  }),
);

/** Takes an incident from whoever has it. */
export const unassignIncident = operateVerb.input(incidentInput).mutation(({ ctx, input: { incidentId } }) =>
  actOnIncident(ctx, {
    verb: "incidents.unassign",
    incidentId,
    action: { kind: "unassign", actor: ctx.actor.name },
    timeline: { kind: "assigned", text: "Assigned to nobody" },
    reason: "",
  }),
);
