import { describeIncident, type Finding, type Incident, type IncidentState } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { IncidentMoved } from "./incident-moved.ts";
import { DETECTOR_ACTOR } from "./incident-words.ts";

type Known = Incident & { readonly id: number };

export interface Absorption {
  /** The elder one, which goes on, as it was. */
  readonly into: Known;
  readonly from: Known;
  /** The state of `from` in the store. */
  readonly stored: IncidentState;
  /** The finding that ties the two. */
  readonly because: Finding;
  readonly nowMs: number;
}

/**
 * Closes an incident that a finding shows to be part of an elder one. People may have seen, taken or labelled either: both timelines and the audit say what was merged, and why.
 * @throws IncidentMoved
 */
export async function absorb(records: Records, { into, from, stored, because, nowMs }: Absorption): Promise<void> {
  const step = because.detectedStep;
  const entry = { kind: "note" as const, atMs: nowMs, step, actor: DETECTOR_ACTOR };
  if (!(await records.incidents.merge({ into: into.id, from: from.id, state: stored, nowMs })))
    throw new IncidentMoved(`incident ${from.id} was changed meanwhile`);
  const why = `one finding belongs to both: ${because.summary}`;
  await records.incidents.addTimeline(into.id, { ...entry, text: `Took in incident ${from.id}, “${titleOf(from)}”${taken(from)}: ${why}` });
  await records.incidents.addTimeline(from.id, { ...entry, text: `Merged into incident ${into.id}, “${titleOf(into)}”: ${why}` });
  await records.audit.append({
    atMs: nowMs,
    actor: DETECTOR_ACTOR,
    verb: "incidents.merge",
    target: `incident:${from.id}`,
    details: { into: into.id, run: from.run, from: from.state, owner: from.owner, findingId: because.id },
  });
}

function titleOf(incident: Known): string {
  return describeIncident(incident).title;
}

function taken({ state, owner }: Known): string {
  const whose = owner === null ? "" : ` of ${owner}`;
  return state === "open" && owner === null ? "" : ` (${state}${whose})`;
}
