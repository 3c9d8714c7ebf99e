import { describeIncident, foldFinding, sayInteger, type Finding, type Incident, type TimelineEntry } from "@trainwatch/core";
import { proposeForIncident } from "@trainwatch/api";
import type { Records } from "@trainwatch/store";

/** Who the timeline and the audit name for what the machine does. */
export const DETECTOR_ACTOR = "detectors";

/** Only notes near the newest finding can still be drawn into an incident. */
const FOLDABLE_NOTES = 64;

export interface FoldRequest {
  readonly runId: number;
  /** `project/name`. */
  readonly run: string;
  readonly findings: readonly Finding[];
  /** Optimizer steps between logged points of an attempt. */
  readonly logEveryOf: (attempt: string) => number;
  readonly nowMs: number;
}

/** Somebody has changed an incident while we were folding into it: the transaction must be tried again from its beginning. */
export class IncidentMoved extends Error {
  override readonly name = "IncidentMoved";
}

/**
 * Puts new and changed findings where they belong: notes on the chart, new incidents, incidents that exist. Each incident touched
 * gets its advice. Runs inside the transaction that moves the cursor, so that no finding is ever folded twice or not at all.
 * @returns ids of the incidents touched
 */
export async function foldFindings(records: Records, request: FoldRequest): Promise<ReadonlySet<number>> {
  const touched = new Set<number>();
  if (request.findings.length === 0) return touched;
  const { runId, run, logEveryOf, nowMs } = request;
  const incidents = new Map<number, Incident>();
  for (const incident of await records.incidents.ofRun(runId)) if (incident.id !== null) incidents.set(incident.id, incident);
  const notes = new Map((await records.findings.notesOf(runId, FOLDABLE_NOTES)).map((note) => [note.id, note]));
  const needsAdvice = new Set<number>();

  for (const finding of request.findings) {
    const outcome = foldFinding(finding, {
      run,
      incidents: [...incidents.values()],
      notes: [...notes.values()].slice(-FOLDABLE_NOTES),
      logEvery: logEveryOf(finding.attempt),
      nowMs,
    });
    if (outcome.kind === "note") {
      notes.set(finding.id, finding);
      await records.findings.upsert(runId, finding, null, nowMs);
      continue;
    }
    const before = outcome.incident.id === null ? null : (incidents.get(outcome.incident.id) ?? null);
    const id =
      before === null ? await open(records, runId, outcome.incident, finding, nowMs) : await join(records, outcome.incident, before, nowMs);
    const incident = { ...outcome.incident, id };
    incidents.set(id, incident);
    touched.add(id);
    for (const part of [finding, ...outcome.adopted]) {
      notes.delete(part.id);
      await records.findings.upsert(runId, part, id, nowMs);
    }
    const isNew = before === null || !before.findings.some((held) => held.id === finding.id);
    if (before !== null)
      await tell(
        records,
        id,
        joinEntries(finding, before, outcome.kind === "join" && outcome.escalated, outcome.kind === "join" && outcome.reopened),
        nowMs,
      );
    if (isNew || (outcome.kind === "join" && (outcome.escalated || outcome.reopened)) || !(await isDecided(records, id)))
      needsAdvice.add(id);
  }
  for (const id of needsAdvice) {
    if (incidents.get(id)?.state === "resolved") continue;
    await proposeForIncident(records, { incidentId: id, actor: DETECTOR_ACTOR, nowMs, whenDecided: "keep" });
  }
  return touched;
}

async function open(records: Records, runId: number, incident: Incident, opener: Finding, nowMs: number): Promise<number> {
  const id = await records.incidents.create(runId, incident, opener.id, nowMs);
  if (id === null) throw new IncidentMoved(`finding ${opener.id} has opened an incident already`);
  const { title, onsetStep, onsetTimeMs } = describeIncident(incident);
  await tell(
    records,
    id,
    [
      {
        kind: "onset",
        atMs: onsetTimeMs,
        step: onsetStep,
        text: `Began at step ${onsetStep === null ? "unknown" : sayInteger(onsetStep)}`,
      },
      { kind: "detected", atMs: opener.detectedTimeMs ?? nowMs, step: opener.detectedStep, text: opener.summary },
    ],
    nowMs,
  );
  await records.audit.append({
    atMs: nowMs,
    actor: DETECTOR_ACTOR,
    verb: "incidents.open",
    target: `incident:${id}`,
    details: { run: incident.run, title, severity: incident.severity, findingId: opener.id },
  });
  return id;
}

async function join(records: Records, incident: Incident, before: Incident, nowMs: number): Promise<number> {
  const { id } = before;
  if (id === null || !(await records.incidents.update(id, incident, [before.state], nowMs)))
    throw new IncidentMoved(`incident ${id} was changed meanwhile`);
  return id;
}

type Told = Omit<TimelineEntry, "actor">;

/** What is news about a finding that joined: itself, when it is new, and each change of how it stands. Moving numbers are none. */
function joinEntries(finding: Finding, before: Incident, escalated: boolean, reopened: boolean): readonly Told[] {
  const held = before.findings.find((other) => other.id === finding.id);
  const isNews = held === undefined || held.state !== finding.state || held.severity !== finding.severity;
  const at = { atMs: finding.detectedTimeMs, step: held === undefined ? finding.detectedStep : (finding.endStep ?? finding.detectedStep) };
  return [
    ...(isNews ? [{ kind: "finding" as const, ...at, text: finding.summary }] : []),
    ...(escalated ? [{ kind: "note" as const, ...at, text: `Escalated to ${finding.severity}` }] : []),
    ...(reopened ? [{ kind: "reopened" as const, ...at, text: "Opened again: it got worse" }] : []),
  ];
}

async function tell(records: Records, id: number, entries: readonly Told[], nowMs: number): Promise<void> {
  for (const entry of entries) await records.incidents.addTimeline(id, { ...entry, atMs: entry.atMs ?? nowMs, actor: DETECTOR_ACTOR });
}

/** A person has answered the newest advice: what they decided on stays in view until something new happens. */
async function isDecided(records: Records, incidentId: number): Promise<boolean> {
  return ((await records.incidents.get(incidentId))?.decision ?? null) !== null;
}
