import { AppError, textSchema, timeMsSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { actOnIncident } from "./act.ts";

/** Beyond it a fault that goes on is not put off but forgotten. */
const MOST_DAYS = 31;
const DAY_MS = 86_400_000;

const snoozeInput = z.object({
  incidentId: idInput,
  untilMs: timeMsSchema.int(),
  reason: textSchema.trim().max(2_000).default(""),
});

/** Nobody is told of it until then, unless it gets worse; then it is open again. */
export const snoozeIncident = operateVerb.input(snoozeInput).mutation(({ ctx, input: { incidentId, untilMs, reason } }) => {
  if (untilMs > ctx.now() + MOST_DAYS * DAY_MS)
    throw new AppError("bad-request", `A snooze lasts ${MOST_DAYS} days at most. What is no problem is resolved, or labelled as wrong.`);
  return actOnIncident(ctx, {
    verb: "incidents.snooze",
    incidentId,
    action: { kind: "snooze", actor: ctx.actor.name, untilMs },
    timeline: { kind: "snoozed", text: `Snoozed until ${new Date(untilMs).toISOString()}` },
    reason,
  });
});
