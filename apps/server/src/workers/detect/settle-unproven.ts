import { worstSeverity, type Finding, type Severity } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { IncidentMoved } from "../fold/incident-moved.ts";
import { DETECTOR_ACTOR } from "../fold/incident-words.ts";

const WITHDRAWN = "Withdrawn: read anew, the data no longer shows it";

/**
 * After a run was read anew (points had moved to another attempt or writer, or the detectors have changed), findings that were not
 * made again do not stand any more. Notes go. An incident loses such findings; one that has no other is resolved with a word in its
 * timeline, since people may have seen it and acted on it.
 * @returns ids of the incidents touched
 */
export async function settleUnproven(records: Records, runId: number, nowMs: number): Promise<ReadonlySet<number>> {
  const unproven = await records.findings.unproven(runId);
  const touched = new Set<number>();
  if (unproven.length === 0) return touched;
  await records.findings.delete(unproven.filter(({ incidentId }) => incidentId === null).map(({ id }) => id));

  const staleIds = new Set(unproven.map(({ id }) => id));
  for (const incidentId of new Set(unproven.map((finding) => finding.incidentId))) {
    const incident = incidentId === null ? null : await records.incidents.find(incidentId);
    if (incidentId === null || incident === null) continue;
    const kept = incident.findings.filter(({ id }) => !staleIds.has(id));
    const stands = kept.length > 0;
    const after = stands
      ? { ...incident, findings: kept, severity: severityOf(kept) ?? incident.severity }
      : { ...incident, state: "resolved" as const, resolvedAtMs: incident.resolvedAtMs ?? nowMs };
    if (!(await records.incidents.update(incidentId, after, [incident.state], nowMs)))
      throw new IncidentMoved(`incident ${incidentId} was changed meanwhile`);
    touched.add(incidentId);
    if (stands) {
      await records.findings.delete(incident.findings.filter(({ id }) => staleIds.has(id)).map(({ id }) => id));
    } else {
      await records.findings.markProven(
        incident.findings.map(({ id }) => id),
        nowMs,
      );
      if (incident.state !== "resolved") {
        await records.incidents.addTimeline(incidentId, {
          kind: "resolved",
          atMs: nowMs,
          step: null,
          actor: DETECTOR_ACTOR,
          text: WITHDRAWN,
        });
        await records.audit.append({
          atMs: nowMs,
          actor: DETECTOR_ACTOR,
          verb: "incidents.resolve",
          target: `incident:${incidentId}`,
          details: { from: incident.state, to: "resolved", reason: WITHDRAWN },
        });
      }
    }
  }
  return touched;
}

/** The worst of what is left; null where only notes are, which give an incident no severity. */
function severityOf(findings: readonly Finding[]): Severity | null {
  const grave = findings.map(({ severity }) => severity).filter((severity) => severity !== "info");
  return grave.length === 0 ? null : grave.reduce<Severity>(worstSeverity, "warning");
}
