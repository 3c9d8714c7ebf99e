import { isFleetSubject, type CauseAssessment } from "@trainwatch/core";
import { rankCauses } from "@trainwatch/decide";
import type { Records } from "@trainwatch/store";
import { required } from "../not-found.ts";
import { concerns } from "../replays/concerns.ts";
import { nodeFacts } from "./node-facts.ts";
import { stepFacts } from "./step-facts.ts";

/** Replays of an attempt that are weighed, newest first. */
const MOST_REPLAYS = 200;

export interface AssessQuestion {
  readonly incidentId: number;
  readonly nowMs: number;
}

/**
 * Weighs the causes of an incident by its findings, by what else is stored of its run, of its steps and of its nodes, and by the replays that people have told of, and stores what
 * comes out. Same records, same answer. Call it inside a transaction, when the incident has changed or a replay was told.
 */
export async function assessIncident(records: Records, { incidentId }: AssessQuestion): Promise<CauseAssessment> {
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  const { run } = required(await records.incidents.get(incidentId), "incident", incidentId);
  const { findings, attempt } = incident;
  const replays = run === null ? [] : await records.replays.ofAttempt(run.id, attempt, MOST_REPLAYS);
  const facts = [
    // Only what a model learns is told by steps; a GPU that falls off the bus at a step does so on no batch.
    ...(run === null || findings.every(({ subject }) => isFleetSubject(subject))
      ? []
      : await stepFacts(records, { run, attempt, findings })),
    ...(await nodeFacts(records, { incidentId, findings })),
  ];
  const assessment = rankCauses({ findings, facts, replays: replays.filter((replay) => concerns(incident, replay)) });
  await records.incidents.setAssessment(incidentId, assessment);
  return assessment;
}
