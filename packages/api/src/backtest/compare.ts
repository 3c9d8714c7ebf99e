import {
  nodeOfFinding,
  quietSteps,
  type BacktestFiring,
  type BacktestIncident,
  type BacktestView,
  type Finding,
  type Incident,
} from "@trainwatch/core";
import type { StoredIncident } from "@trainwatch/store";

/** A finding of the back-test, with the run that it hit. */
export interface Fired {
  readonly finding: Finding;
  readonly run: { readonly id: number; readonly name: string; readonly logEvery: number | null } | null;
}

/** An incident of the records, with its findings. */
export interface Recorded {
  readonly stored: StoredIncident;
  readonly incident: Incident;
}

/** Fleet findings of one place so near in time speak of one fault. */
const NEAR_MS = 10 * 60_000;
const MOST_FIRINGS = 500;
const MOST_MISSED = 200;

type Compared = Pick<BacktestView, "fired" | "notes" | "firings" | "matched" | "fresh" | "missed" | "labels">;

/** Lays what would have been said beside what stands in the records. `detector` is the one whose incidents it should have found. */
export function compare(fired: readonly Fired[], recorded: readonly Recorded[], detector: string): Compared {
  const told = fired.filter(({ finding }) => finding.severity !== "info");
  const pairs = told.map((each) => ({ each, match: recorded.find((candidate) => isSame(each, candidate)) }));
  const hit = new Map(pairs.flatMap(({ match }) => (match === undefined ? [] : [[match.stored.id, match.stored] as const])));
  const missed = recorded.filter(
    ({ stored, incident }) =>
      !hit.has(stored.id) && incident.findings.some((finding) => finding.detector === detector && finding.severity !== "info"),
  );
  const labels = { right: 0, wrong: 0, unsure: 0, unlabelled: 0 };
  for (const { labelled } of hit.values()) labels[labelled?.label ?? "unlabelled"]++;
  return {
    fired: told.length,
    notes: fired.length - told.length,
    firings: pairs.slice(0, MOST_FIRINGS).map(({ each, match }) => firingOf(each, match?.stored ?? null)),
    matched: pairs.filter(({ match }) => match !== undefined).length,
    fresh: pairs.filter(({ match }) => match === undefined).length,
    missed: missed.slice(0, MOST_MISSED).map(({ stored }) => incidentOf(stored)),
    labels,
  };
}

function isSame({ finding, run }: Fired, { stored, incident }: Recorded): boolean {
  if (incident.findings.some(({ id }) => id === finding.id)) return true;
  if (run !== null && finding.attempt !== "") {
    if (stored.run?.id !== run.id || incident.attempt !== finding.attempt) return false;
    return incident.findings.some((held) => stepGap(held, finding) <= quietSteps(run.logEvery ?? 1));
  }
  const node = nodeOfFinding(finding);
  return incident.findings.some((held) => {
    const isThere = held.fingerprint === finding.fingerprint || (node !== null && nodeOfFinding(held) === node);
    return isThere && Math.abs((held.onsetTimeMs ?? Number.NaN) - (finding.onsetTimeMs ?? Number.NaN)) <= NEAR_MS;
  });
}

/** Steps between the stretches of two findings; infinite where one names no step. */
function stepGap(a: Finding, b: Finding): number {
  const [fromA, fromB] = [a.onsetStep ?? a.detectedStep, b.onsetStep ?? b.detectedStep];
  if (fromA === null || fromB === null) return Number.POSITIVE_INFINITY;
  const [toA, toB] = [a.endStep ?? a.peakStep ?? fromA, b.endStep ?? b.peakStep ?? fromB];
  return Math.max(0, fromA - toB, fromB - toA);
}

function firingOf({ finding, run }: Fired, match: StoredIncident | null): BacktestFiring {
  const { id, attempt, subject, severity, summary, onsetStep, onsetTimeMs, detectedStep, detectedTimeMs } = finding;
  return {
    findingId: id,
    runId: run?.id ?? null,
    run: run?.name ?? null,
    attempt,
    subject,
    severity,
    summary,
    onsetStep,
    onsetTimeMs,
    detectedStep,
    detectedTimeMs,
    incidentId: match?.id ?? null,
    label: match?.labelled?.label ?? null,
  };
}

function incidentOf({ id, title, severity, run, labelled }: StoredIncident): BacktestIncident {
  return { incidentId: id, title, severity, runId: run?.id ?? null, run: run?.fullName ?? null, label: labelled?.label ?? null };
}
