import { severityRank, SEVERITIES, FINDING_STATES, type RunSummary } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { IS_REPLACED } from "./incident-standing.ts";
import { runFacts, type RunFacts } from "./run-facts.ts";

type Standing = Pick<RunSummary, "worst" | "openOfEarlier">;

interface OpenIncident {
  readonly id: number;
  readonly runId: number;
  readonly severity: string;
  readonly findingState: string;
  readonly title: string;
  readonly isReplaced: boolean;
}

const NOTHING_OPEN: Standing = { worst: null, openOfEarlier: 0 };

/** In the order of `ids`; a run that is gone is left out. Index: (run_id, state) of `incident`. */
export async function runSummaries(db: Db, ids: readonly number[]): Promise<readonly RunSummary[]> {
  if (ids.length === 0) return [];
  const runs = await db.run.findMany({ where: { id: { in: [...ids] } } });
  const incidents = await db.$queryRaw<OpenIncident[]>`
    SELECT i.id, i.run_id AS "runId", i.severity, i.title, ${IS_REPLACED} AS "isReplaced",
      -- A hang ended with its attempt: what goes on of it is the broken machine.
      CASE WHEN i.finding_state = 'stalled' AND i.attempt NOT IN ('', coalesce(r.attempt, i.attempt)) THEN 'ongoing' ELSE i.finding_state END AS "findingState"
    FROM incident i JOIN run r ON r.id = i.run_id WHERE i.run_id IN (${Prisma.join([...ids])}) AND i.state <> 'resolved' ORDER BY i.id`;
  const standings = new Map<number, Standing>();
  for (const incident of incidents) standings.set(incident.runId, told(standings.get(incident.runId) ?? NOTHING_OPEN, incident));
  const byId = new Map(runs.map((run) => [run.id, runSummary(runFacts(run), standings.get(run.id) ?? NOTHING_OPEN)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function runSummary(run: RunFacts, standing: Standing): RunSummary {
  const { id, project, name, state, watched, attempt, lastStep, lastLoss, lastSampleAtMs, metadata, archivedAtMs, createdAtMs } = run;
  return {
    id,
    project,
    name,
    state,
    ...standing,
    watched,
    attempt,
    lastStep,
    lastLoss,
    lastSampleAtMs,
    metadata,
    archivedAtMs,
    createdAtMs,
  };
}

/** What an attempt suffered that is over is counted and no more; of two that are equally bad the newer is told. */
function told({ worst, openOfEarlier }: Standing, { id, severity, findingState, title, isReplaced }: OpenIncident): Standing {
  if (isReplaced) return { worst, openOfEarlier: openOfEarlier + 1 };
  const next = {
    severity: SEVERITIES.find((known) => known === severity) ?? "warning",
    state: FINDING_STATES.find((known) => known === findingState) ?? "ongoing",
    summary: title,
    incidentId: id,
  };
  return { worst: worst !== null && severityRank(worst.severity) > severityRank(next.severity) ? worst : next, openOfEarlier };
}
