import { AppError, type Advice } from "@trainwatch/core";
import { incidentInput } from "../incidents/schemas.ts";
import { unmerged } from "../incidents/unmerged.ts";
import { announceIncident } from "../live/announce.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { required } from "../not-found.ts";
import { proposeForIncident } from "./propose-advice.ts";

export interface ProposedAdvice extends Advice {
  readonly id: number;
  readonly createdAtMs: number;
}

/** Works the proposal out anew with what is known now: more steps, facts given since (GPUs, checkpoints). */
export const propose = operateVerb.input(incidentInput).mutation(async ({ ctx, input: { incidentId } }): Promise<ProposedAdvice> => {
  const { stored, run } = await recorded(ctx, "advice.propose", async (records) => {
    const incident = unmerged(required(await records.incidents.get(incidentId), "incident", incidentId));
    if (incident.state === "resolved") throw new AppError("conflict", "The incident is resolved. Reopen it to get a new proposal.");
    const proposal = await proposeForIncident(records, { incidentId, actor: ctx.actor.name, nowMs: ctx.now(), whenDecided: "renew" });
    return {
      answer: { stored: proposal.stored, run: incident.run },
      target: `incident:${incidentId}`,
      details: { adviceId: proposal.stored.id, isNew: proposal.isNew },
    };
  });
  announceIncident(ctx, run);
  return { ...stored.advice, id: stored.id, createdAtMs: stored.createdAtMs };
});
