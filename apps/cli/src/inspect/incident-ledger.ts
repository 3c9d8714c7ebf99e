import { foldFinding } from "@trainwatch/core";
import type { Finding, Incident } from "@trainwatch/core";

/** A log that spikes all day must not fill memory: beyond this, notes are counted and no longer kept. */
const MAX_NOTES = 10_000;
/** Only notes near the newest finding can still be drawn into an incident. */
const FOLDABLE_NOTES = 64;

/** The incidents of one run as its findings come in: what the server keeps in its database. */
export class IncidentLedger {
  private readonly notes = new Map<string, Finding>();
  private list: readonly Incident[] = [];
  private readonly run: string;
  notesOmitted = 0;

  constructor(run: string) {
    this.run = run;
  }

  take(finding: Finding, logEvery: number): void {
    const notes = [...this.notes.values()].slice(-FOLDABLE_NOTES);
    const outcome = foldFinding(finding, { run: this.run, incidents: this.list, notes, logEvery, nowMs: 0 });
    if (outcome.kind === "note") return this.keepNote(outcome.finding);
    for (const held of outcome.incident.findings) this.notes.delete(held.id);
    this.list =
      outcome.kind === "open"
        ? [...this.list, { ...outcome.incident, id: this.list.length + 1 }]
        : this.list.map((incident) => (incident.id === outcome.incident.id ? outcome.incident : incident));
  }

  /** What was taken for an attempt turned out to be none. */
  forgetAttempt(attempt: string): void {
    this.list = this.list.filter((incident) => incident.attempt !== attempt);
    for (const [id, note] of this.notes) if (note.attempt === attempt) this.notes.delete(id);
  }

  incidents(): readonly Incident[] {
    return this.list;
  }

  /** All findings kept, in the order of their onset. */
  findings(): readonly Finding[] {
    const all = [...this.list.flatMap((incident) => incident.findings), ...this.notes.values()];
    const onset = (finding: Finding): number => finding.onsetStep ?? finding.detectedStep ?? Number.POSITIVE_INFINITY;
    return all.sort((a, b) => a.attempt.localeCompare(b.attempt, "en", { numeric: true }) || onset(a) - onset(b));
  }

  private keepNote(note: Finding): void {
    if (this.notes.has(note.id) || this.notes.size < MAX_NOTES) this.notes.set(note.id, note);
    else this.notesOmitted++;
  }
}
