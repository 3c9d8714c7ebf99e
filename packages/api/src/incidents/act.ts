import {
  AppError,
  applyIncidentAction,
  statesAllowing,
  type IncidentAction,
  type IncidentState,
  type TimelineEntry,
} from "@trainwatch/core";
import { announceIncident } from "../live/announce.ts";
import { required } from "../not-found.ts";
import { tellChanges } from "../notices/tell-incident.ts";
import { recorded, type VerbContext } from "../recorded.ts";
import { unmerged } from "./unmerged.ts";

export interface ActRequest {
  readonly verb: string;
  readonly incidentId: number;
  readonly action: IncidentAction;
  readonly timeline: Pick<TimelineEntry, "kind" | "text">;
  readonly reason: string;
}

/**
 * One step of a person on an incident. The reducer says whether the state allows it; the WHERE of the update says whether it still does,
 * so of two people at once one gets through and the other is told.
 * @throws AppError `conflict`
 */
export async function actOnIncident(
  ctx: VerbContext,
  request: ActRequest,
): Promise<{ readonly incidentId: number; readonly state: IncidentState }> {
  const { verb, incidentId, action, timeline, reason } = request;
  const answer = await recorded(ctx, verb, async (records) => {
    const nowMs = ctx.now();
    // Detectors write the whole row as well: what they have not seen they would undo.
    await records.incidents.lockFolds();
    unmerged(required(await records.incidents.get(incidentId), "incident", incidentId));
    const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
    const outcome = applyIncidentAction(incident, action, nowMs);
    if (!outcome.ok) throw new AppError("conflict", outcome.message, { details: { state: incident.state } });
    if (!(await records.incidents.update(incidentId, outcome.incident, statesAllowing(action.kind), nowMs))) {
      throw new AppError("conflict", "Somebody else has just changed this incident. Look at it again.");
    }
    const text = reason === "" ? timeline.text : `${timeline.text}: ${reason}`;
    await records.incidents.addTimeline(incidentId, { kind: timeline.kind, atMs: nowMs, step: null, actor: ctx.actor.name, text });
    await tellChanges(records, { incidentId, nowMs });
    const { run } = required(await records.incidents.get(incidentId), "incident", incidentId);
    return {
      answer: { state: outcome.incident.state, run },
      target: `incident:${incidentId}`,
      details: { from: incident.state, to: outcome.incident.state, ...(reason === "" ? {} : { reason }) },
    };
  });
  announceIncident(ctx, answer.run);
  return { incidentId, state: answer.state };
}
