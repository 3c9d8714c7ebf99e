import { adviceSchema, type Advice } from "@trainwatch/core";
import { describeAction, proposeAdvice, type AdviceInput } from "@trainwatch/decide";
import type { Records, StoredAdvice } from "@trainwatch/store";
import { required } from "../not-found.ts";
import { adviceInput } from "./advice-input.ts";
import { isSameDecision } from "./same-decision.ts";

export interface Proposal {
  readonly stored: StoredAdvice;
  /** False where the newest proposal stands, with newer numbers or with the same. */
  readonly isNew: boolean;
}

export interface ProposalRequest {
  readonly incidentId: number;
  /** Whom the timeline names for a new proposal. */
  readonly actor: string;
  readonly nowMs: number;
  /** Where somebody has decided on the newest proposal and only its numbers have moved since: keep it, or follow it with one to decide on anew. */
  readonly whenDecided: "keep" | "renew";
}

/**
 * Works out what to do about an incident from what is stored now. A proposal that asks for another decision than the newest one is stored
 * beside it and told in the timeline. One with other numbers only takes the place of the newest, in silence: while a fault goes on they move
 * with every step. A proposal that was decided on is never altered.
 * Same records, same advice: the seed of its draws comes from the incident. Call it inside a transaction.
 */
export async function proposeForIncident(records: Records, { incidentId, actor, nowMs, whenDecided }: ProposalRequest): Promise<Proposal> {
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  const { run, advice: held, assessment } = required(await records.incidents.get(incidentId), "incident", incidentId);
  const input: AdviceInput = { ...(await adviceInput(records, { incidentId, incident, run })), assessment };
  const advice = adviceSchema.parse(proposeAdvice(input));
  if (held === null || !isSameDecision(held.advice, advice, input.logEvery)) {
    await records.incidents.addTimeline(incidentId, {
      kind: "advice",
      atMs: nowMs,
      step: null,
      actor,
      text: `Proposed: ${describeAction(advice)} (${advice.confidence.word})`,
    });
    return { stored: await records.advice.create(incidentId, advice, nowMs), isNew: true };
  }
  if (isSameAdvice(held.advice, advice)) return { stored: held, isNew: false };
  const revised = await records.advice.revise(held.id, advice);
  if (revised !== null || whenDecided === "keep") return { stored: revised ?? held, isNew: false };
  return { stored: await records.advice.create(incidentId, advice, nowMs), isNew: true };
}

function isSameAdvice(a: Advice, b: Advice): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
