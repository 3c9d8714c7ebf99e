import { assessIncident, proposeForIncident, tellChanges, tellNewcomers } from "@trainwatch/api";
import type { Incident } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { DETECTOR_ACTOR } from "./incident-words.ts";
import { readOnce } from "./read-once.ts";

export interface FollowUp {
  readonly incident: Incident & { readonly id: number };
  /** It is new, or something about it is that was not there before. */
  readonly isNews: boolean;
  /** It has turned out to be of a run: who hears of that run's incidents alone was not told of it. */
  readonly isNewToRun: boolean;
  readonly nowMs: number;
}

/** What follows when findings have gone into an incident: its causes are weighed, what to do is proposed, and whoever is to know is told. In the transaction of the fold. */
export async function followUp(within: Records, { incident, isNews, isNewToRun, nowMs }: FollowUp): Promise<void> {
  const { id: incidentId, state } = incident;
  const records = readOnce(within);
  if (isNews) await assessIncident(records, { incidentId, nowMs });
  // A person has answered the newest advice: what they decided on stays in view until something new happens.
  if (state !== "resolved" && (isNews || !(await isDecided(records, incidentId))))
    await proposeForIncident(records, { incidentId, actor: DETECTOR_ACTOR, nowMs, whenDecided: "keep" });
  await tellChanges(records, { incidentId, nowMs });
  if (isNewToRun) await tellNewcomers(records, { incidentId, nowMs });
}

async function isDecided(records: Records, incidentId: number): Promise<boolean> {
  return ((await records.incidents.get(incidentId))?.decision ?? null) !== null;
}
