import { adviceSchema, checkpointsOnPath, type Advice, type Incident } from "@trainwatch/core";
import { adviceSeed, describeAction, proposeAdvice, type AdviceInput } from "@trainwatch/decide";
import type { Records, RunFacts, StoredAdvice } from "@trainwatch/store";
import { required } from "../not-found.ts";

export interface Proposal {
  readonly stored: StoredAdvice;
  /** False where the proposal is what it was: nothing new was stored. */
  readonly isNew: boolean;
}

export interface ProposalRequest {
  readonly incidentId: number;
  /** Whom the timeline names for a new proposal. */
  readonly actor: string;
  readonly nowMs: number;
  /**
   * `new-answer`: stored only where it says something else than before. While a fault goes on its numbers move with every step, and a
   * proposal must hold still long enough for a person to decide on it. `new-numbers`: stored where anything differs.
   */
  readonly store: "new-answer" | "new-numbers";
}

/**
 * Works out what to do about an incident from what is stored now, and stores it where it differs from the newest advice.
 * Same records, same advice: the seed of its draws comes from the incident. Call it inside a transaction.
 */
export async function proposeForIncident(records: Records, { incidentId, actor, nowMs, store }: ProposalRequest): Promise<Proposal> {
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  const stored = required(await records.incidents.get(incidentId), "incident", incidentId);
  const advice = adviceSchema.parse(proposeAdvice(await adviceInput(records, incidentId, incident, stored.run)));
  const held = stored.advice;
  const isSame = store === "new-answer" ? isSameAnswer : isSameAdvice;
  if (held !== null && isSame(held.advice, advice)) return { stored: held, isNew: false };
  const created = await records.advice.create(incidentId, advice, nowMs);
  // A proposal that says the same with newer numbers is no event; one that says something else is.
  if (held === null || describeAction(held.advice) !== describeAction(advice)) {
    await records.incidents.addTimeline(incidentId, { kind: "advice", atMs: nowMs, step: null, actor, text: `Proposed: ${describeAction(advice)} (${advice.confidence.word})` });
  }
  return { stored: created, isNew: true };
}

function isSameAnswer(a: Advice, b: Advice): boolean {
  return describeAction(a) === describeAction(b) && a.confidence.word === b.confidence.word && a.findingIds.join() === b.findingIds.join();
}

function isSameAdvice(a: Advice, b: Advice): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function adviceInput(records: Records, incidentId: number, incident: Incident, run: RunFacts): Promise<AdviceInput> {
  const attempts = await records.runs.attempts(run.id);
  const checkpoints = await records.runs.checkpoints(run.id);
  const all = await records.incidents.ofRun(run.id);
  const attempt = attempts.find(({ name }) => name === incident.attempt);
  return {
    findings: incident.findings,
    attempt: incident.attempt,
    checkpoints: checkpointsOnPath(attempts, checkpoints, incident.attempt),
    checkpointEvery: run.metadata.checkpointEvery,
    firstStep: attempt?.firstStep ?? null,
    lastStep: attempt?.lastStep ?? null,
    stepTimeS: run.stepTimeS,
    gpus: run.metadata.gpus,
    logEvery: run.logEvery ?? 1,
    earlier: all.filter((other) => other.id !== null && other.id < incidentId).flatMap((other) => other.findings),
    seed: adviceSeed(incident.findings),
  };
}
