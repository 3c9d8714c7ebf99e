import { foldFinding, foldReach, inFoldOrder, type Finding, type FoldOutcome, type Incident } from "@trainwatch/core";
import { weighAlike, type RulesInForce } from "@trainwatch/api";
import type { Records } from "@trainwatch/store";
import { followUp } from "./follow-up.ts";
import { IncidentMoved } from "./incident-moved.ts";
import { DETECTOR_ACTOR, openEntries, newsEntries, snoozeOver, takenNoMore, type Told } from "./incident-words.ts";
import { absorb } from "./absorb.ts";
import type { FindingRun, PlacedFinding } from "./placed-finding.ts";

/** Only the newest notes can still be drawn into an incident: as many as the nodes of a large job say at once when they are cleared, before anybody has told why (F1). */
const FOLDABLE_NOTES = 1_024;
/** A fault that comes back names the incident of the last time for so long (core's fold); older ones are looked at only where their steps or times are near. */
const REMEMBERED_MS = 7 * 86_400_000;

export interface FoldRequest {
  readonly findings: readonly PlacedFinding[];
  /** What people have changed about the detectors, for the run or for what works for none. */
  readonly rulesFor: (run: FindingRun | null) => RulesInForce;
  /** Optimizer steps between logged points of an attempt of the run whose detectors found it. */
  readonly logEveryOf: (attempt: string) => number;
  readonly nowMs: number;
}

/** An incident as it was and as it is now, while a batch is folded. */
interface Held {
  runId: number | null;
  readonly before: Incident;
  now: Incident & { readonly id: number };
  /** Something that asks for another look at causes and advice. */
  isNews: boolean;
  /** It was of no run until now. */
  isNewToRun: boolean;
}

/**
 * Puts new and changed findings where they belong: notes on the chart, new incidents, incidents that exist. Each incident touched gets its causes, its advice, and its
 * notices. Runs inside the transaction that moves the cursor or the tick, so that no finding is ever folded twice or not at all; two workers take turns.
 * @returns ids of the incidents touched
 * @throws IncidentMoved
 */
export async function foldFindings(records: Records, request: FoldRequest): Promise<ReadonlySet<number>> {
  if (request.findings.length === 0) return new Set();
  await records.incidents.lockFolds();
  const fold = await openFold(records, request);
  for (const placed of inFoldOrder(request.findings, ({ finding }) => finding)) await fold.take(placed);
  return fold.close();
}

async function openFold(records: Records, { findings: batch, rulesFor, logEveryOf, nowMs }: FoldRequest) {
  const runIds = [...new Set(batch.flatMap(({ run }) => run?.id ?? []))];
  const nodeIds = [...new Set(batch.flatMap(({ finding }) => (isOfFleet(finding) ? (finding.place?.nodeId ?? []) : [])))];
  const findingIds = batch.map(({ finding }) => finding.id);
  const spacingOf = (finding: Finding): number => (isOfFleet(finding) ? 1 : logEveryOf(finding.attempt));
  const reach = foldReach(
    batch.map(({ finding }) => finding),
    spacingOf,
  );
  const held = new Map<number, Held>();
  for (const { runId, incident } of await records.incidents.foldable({
    runIds,
    reach,
    nodeIds,
    sinceMs: nowMs - REMEMBERED_MS,
    findingIds,
  }))
    held.set(incident.id, { runId, before: incident, now: incident, isNews: false, isNewToRun: false });
  const stored = await records.findings.known(findingIds);
  const notes = new Map<number | null, Map<string, Finding>>();
  const touched = new Set<number>();

  const notesOf = async (runId: number | null): Promise<Map<string, Finding>> => {
    const known = notes.get(runId);
    if (known !== undefined) return known;
    const read = new Map((await records.findings.notesOf(runId, FOLDABLE_NOTES)).map((note) => [note.id, note]));
    notes.set(runId, read);
    return read;
  };

  const take = async (placed: PlacedFinding): Promise<void> => {
    const { run, attempt } = placed;
    const rules = rulesFor(run);
    // What a detector that was switched off has said before is still brought to its end.
    if (!rules.isEnabled(placed.finding.detector) && !stored.has(placed.finding.id)) return;
    const severity = rules.severityOf(placed.finding.detector, placed.finding.severity);
    const finding = { ...placed.finding, severity };
    const shown = { ...placed.shown, severity };
    const marks = await notesOf(run?.id ?? null);
    const outcome = foldFinding(finding, {
      run: run?.fullName ?? null,
      attempt,
      incidents: [...held.values()].filter((each) => isNear(each, finding, run)).map(({ now }) => now),
      notes: [...marks.values()].slice(-FOLDABLE_NOTES),
      logEvery: spacingOf(finding),
      nowMs,
    });
    if (outcome.kind === "note") {
      marks.set(shown.id, shown);
      await records.findings.upsert(run?.id ?? null, shown, null, nowMs);
      return;
    }
    const adopted = outcome.adopted.map(({ id }) => id);
    const entry = await put(outcome, shown, run);
    touched.add(entry.now.id);
    await records.findings.upsert(entry.runId, shown, entry.now.id, nowMs);
    for (const id of adopted) {
      const note = marks.get(id);
      if (note !== undefined) await records.findings.upsert(run?.id ?? null, note, entry.now.id, nowMs);
      marks.delete(id);
    }
    marks.delete(shown.id);
  };

  const put = async (outcome: Exclude<FoldOutcome, { kind: "note" }>, shown: Finding, run: FindingRun | null): Promise<Held> => {
    // As shown, so that titles and costs speak of the run's steps.
    const findings = outcome.incident.findings.map((each) => (each.id === shown.id ? shown : each));
    const incident: Incident = { ...outcome.incident, findings };
    const known = incident.id === null ? undefined : held.get(incident.id);
    if (known === undefined) {
      const entry = await open(records, run, incident, shown, nowMs);
      held.set(entry.now.id, entry);
      return entry;
    }
    const before = known.now;
    known.now = { ...incident, id: before.id };
    const { escalated, reopened, absorbed } = outcome.kind === "join" ? outcome : { escalated: false, reopened: false, absorbed: [] };
    const runId = known.runId ?? absorbed.flatMap(({ id }) => held.get(id ?? 0)?.runId ?? [])[0] ?? run?.id ?? null;
    for (const { id } of absorbed) {
      const gone = id === null ? undefined : held.get(id);
      if (gone === undefined) continue;
      held.delete(gone.now.id);
      known.isNews = true;
      // Who looks at it is to be shown that it is gone.
      touched.add(gone.now.id);
      await absorb(records, { into: before, from: gone.now, stored: gone.before.state, because: shown, nowMs });
    }
    // What it took in may have been of no run.
    if (incident.run !== null && runId !== null && (known.runId === null || absorbed.length > 0)) {
      known.isNewToRun ||= known.runId === null;
      known.runId = runId;
      await records.incidents.setRun(before.id, runId);
    }
    const told = before.findings.find(({ id }) => id === shown.id);
    known.isNews ||= told === undefined || escalated || reopened || !weighAlike(told.facts, shown.facts);
    if (before.state === "snoozed" && incident.state === "open" && !reopened)
      await tell(records, before.id, [snoozeOver(before, nowMs)], nowMs);
    if (before.state === "acknowledged" && incident.state === "open" && !reopened)
      await tell(records, before.id, [takenNoMore(nowMs)], nowMs);
    await tell(records, before.id, newsEntries(shown, before, { escalated, reopened }), nowMs);
    return known;
  };

  const close = async (): Promise<ReadonlySet<number>> => {
    for (const id of touched) {
      const entry = held.get(id);
      if (entry === undefined) continue;
      const { before, now, isNews, isNewToRun } = entry;
      // One that was opened here, and that nothing has joined since, stands as it was made.
      if (now !== before && !(await records.incidents.update(id, now, [before.state], nowMs)))
        throw new IncidentMoved(`incident ${id} was changed meanwhile`);
      await followUp(records, { incident: now, isNews, isNewToRun, nowMs });
    }
    return touched;
  };

  return { take, close };
}

/** A run's own finding can join its run's incidents; one of hardware also those of the node, and of nobody. */
function isNear({ runId, now }: Held, finding: Finding, run: FindingRun | null): boolean {
  if (now.findings.some(({ id }) => id === finding.id)) return true;
  if (run !== null && runId === run.id) return true;
  return isOfFleet(finding);
}

/** Detectors of a run name its attempt always, those of the fleet never. */
function isOfFleet({ attempt }: Finding): boolean {
  return attempt === "";
}

async function open(records: Records, run: FindingRun | null, incident: Incident, opener: Finding, nowMs: number): Promise<Held> {
  const id = await records.incidents.create(run?.id ?? null, incident, opener.id, nowMs);
  if (id === null) throw new IncidentMoved(`finding ${opener.id} has opened an incident already`);
  const { entries, title } = openEntries(incident, opener);
  await tell(records, id, entries, nowMs);
  await records.audit.append({
    atMs: nowMs,
    actor: DETECTOR_ACTOR,
    verb: "incidents.open",
    target: `incident:${id}`,
    details: { run: incident.run, title, severity: incident.severity, findingId: opener.id },
  });
  const now = { ...incident, id };
  return { runId: run?.id ?? null, before: now, now, isNews: true, isNewToRun: false };
}

async function tell(records: Records, id: number, entries: readonly Told[], nowMs: number): Promise<void> {
  for (const entry of entries) await records.incidents.addTimeline(id, { ...entry, atMs: entry.atMs ?? nowMs, actor: DETECTOR_ACTOR });
}
