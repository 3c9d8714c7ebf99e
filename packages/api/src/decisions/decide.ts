import { AppError, type Decision, textSchema } from "@trainwatch/core";
import { describeAction } from "@trainwatch/decide";
import { z } from "zod";
import { unmerged } from "../incidents/unmerged.ts";
import { announceIncident } from "../live/announce.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

/** What confirms a decision on an incident that belongs to no run. */
const FLEET_NAME = "fleet";

const decideInput = z.object({
  adviceId: idInput,
  /** Where given it must be the incident of the advice. */
  incidentId: idInput.optional(),
  verdict: z.enum(["accepted", "declined"]),
  /** Why; it stands in the audit for those who read it in the morning. */
  reason: textSchema.trim().min(1, "say why: the record is for those who read it later").max(2_000),
  /** Where given it must be the run's name: what a page asks for before it accepts a rollback. */
  confirmName: textSchema.max(256).optional(),
});

/**
 * A person's answer to the newest advice of an incident. One decision an advice: of two at once the second is a conflict, and so is
 * an answer to a proposal that a newer one has replaced.
 */
export const decide = operateVerb.input(decideInput).mutation(async ({ ctx, input }): Promise<Decision> => {
  const { adviceId, incidentId, verdict, reason, confirmName } = input;
  const { decision, run } = await recorded(ctx, "decisions.decide", async (records) => {
    // Locked, so that it cannot come to say something else while it is decided on.
    const advised = required(await records.advice.lock(adviceId), "advice", adviceId);
    if (incidentId !== undefined && incidentId !== advised.incidentId)
      throw new AppError("bad-request", `Advice ${adviceId} belongs to incident ${advised.incidentId}, not to ${incidentId}.`);
    const incident = unmerged(required(await records.incidents.get(advised.incidentId), "incident", advised.incidentId));
    const expected = incident.run?.name ?? FLEET_NAME;
    if (confirmName !== undefined && confirmName !== expected) {
      throw new AppError("bad-request", `To confirm, give the name exactly: ${expected}.`, { details: { expected } });
    }
    if (incident.advice?.id !== adviceId)
      throw new AppError("conflict", "A newer proposal has replaced this one. Look at it before you decide.", {
        details: { newest: incident.advice?.id ?? null },
      });
    const made = await records.decisions.create({
      incidentId: incident.id,
      adviceId,
      verdict,
      reason,
      actor: ctx.actor.name,
      atMs: ctx.now(),
    });
    if (made === null) {
      const held = incident.decision;
      throw new AppError(
        "conflict",
        held === null ? "This proposal has just been decided." : `This proposal was ${held.verdict} by ${held.actor} already.`,
        { details: { adviceId } },
      );
    }
    const action = describeAction(advised.advice);
    await records.incidents.addTimeline(incident.id, {
      kind: "decision",
      atMs: made.atMs,
      step: null,
      actor: made.actor,
      text: `${verdict === "accepted" ? "Accepted" : "Declined"}: ${action}. ${reason}`,
    });
    return {
      answer: { decision: made, run: incident.run },
      target: `incident:${incident.id}`,
      details: { adviceId, verdict, reason, action },
    };
  });
  announceIncident(ctx, run);
  return decision;
});
