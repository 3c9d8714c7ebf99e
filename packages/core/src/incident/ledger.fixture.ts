import type { Finding } from "../finding.ts";
import { foldFinding } from "./fold.ts";
import type { FoldContext } from "./fold-context.ts";
import type { FoldOutcome } from "./fold.ts";
import type { Incident } from "./incident.ts";

/** What a store does: keeps incidents and notes, and applies one outcome after the other. */
export class Ledger {
  incidents: Incident[] = [];
  notes: Finding[] = [];
  readonly logEvery: number;
  #opened = 0;

  constructor(logEvery = 1) {
    this.logEvery = logEvery;
  }

  fold(finding: Finding, nowMs = 1_000, of: Pick<FoldContext, "run" | "attempt"> = { run: "lab/base", attempt: "a1" }): FoldOutcome {
    const outcome = foldFinding(finding, { ...of, incidents: this.incidents, notes: this.notes, logEvery: this.logEvery, nowMs });
    if (outcome.kind === "note") {
      this.notes = [...this.notes.filter((note) => note.id !== finding.id), finding];
      return outcome;
    }
    const held = new Set([finding, ...outcome.adopted].map((item) => item.id));
    this.notes = this.notes.filter((note) => !held.has(note.id));
    if (outcome.kind === "open") this.incidents.push({ ...outcome.incident, id: ++this.#opened });
    else {
      const gone = new Set(outcome.absorbed.map(({ id }) => id));
      this.incidents = this.incidents
        .filter(({ id }) => !gone.has(id))
        .map((incident) => (incident.id === outcome.incident.id ? outcome.incident : incident));
    }
    return outcome;
  }

  only(): Incident {
    const [incident, second] = this.incidents;
    if (incident === undefined || second !== undefined) throw new Error(`expected one incident, got ${this.incidents.length}`);
    return incident;
  }
}
