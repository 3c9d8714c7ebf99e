import { severityRank, SEVERITIES, FINDING_STATES, type RunSummary } from "@trainwatch/core";
import type { Incident } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { runFacts, type RunFacts } from "./run-facts.ts";

type Worst = NonNullable<RunSummary["worst"]>;

/** In the order of `ids`; a run that is gone is left out. */
export async function runSummaries(db: Db, ids: readonly number[]): Promise<readonly RunSummary[]> {
  if (ids.length === 0) return [];
  const [runs, incidents] = await Promise.all([
    db.run.findMany({ where: { id: { in: [...ids] } } }),
    db.incident.findMany({ where: { runId: { in: [...ids] }, state: { not: "resolved" } }, orderBy: { id: "asc" } }),
  ]);
  const attempts = new Map(runs.map(({ id, attempt }) => [id, attempt]));
  // Of two that are equally bad the later in this order is told: one of the attempt that runs now before one of an attempt that is over, then the newer.
  const told = incidents.toSorted((a, b) => Number(isOfNow(a, attempts)) - Number(isOfNow(b, attempts)));
  const worst = new Map<number, Worst>();
  for (const incident of told) if (incident.runId !== null) worst.set(incident.runId, worse(worst.get(incident.runId), worstOf(incident)));
  const byId = new Map(runs.map((run) => [run.id, runSummary(runFacts(run), worst.get(run.id) ?? null)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function runSummary(run: RunFacts, worst: Worst | null): RunSummary {
  const { id, project, name, state, watched, attempt, lastStep, lastLoss, lastSampleAtMs, metadata, archivedAtMs, createdAtMs } = run;
  return { id, project, name, state, worst, watched, attempt, lastStep, lastLoss, lastSampleAtMs, metadata, archivedAtMs, createdAtMs };
}

function isOfNow({ runId, attempt }: Incident, attempts: ReadonlyMap<number, string | null>): boolean {
  return runId !== null && attempts.get(runId) === attempt;
}

/** The later of two that are equally bad. */
function worse(held: Worst | undefined, next: Worst): Worst {
  return held !== undefined && severityRank(held.severity) > severityRank(next.severity) ? held : next;
}

function worstOf({ id, severity, findingState, title }: Incident): Worst {
  return {
    severity: SEVERITIES.find((known) => known === severity) ?? "warning",
    state: FINDING_STATES.find((known) => known === findingState) ?? "ongoing",
    summary: title,
    incidentId: id,
  };
}
