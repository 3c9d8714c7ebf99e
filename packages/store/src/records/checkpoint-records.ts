import type { Severity } from "@trainwatch/core";
import { SEVERITIES } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import { checkpointOf } from "./attempt-rows.ts";
import { type CheckpointEvidence, createCheckpointEvidence } from "./checkpoint-evidence.ts";
import { type CheckpointListQuestion, listCheckpoints } from "./checkpoint-list.ts";
import type { Db } from "./db.ts";
import { known } from "./known-word.ts";
import type { AttemptReach, StoredCheckpoint } from "./stored-checkpoint.ts";

export interface TrainingEvent {
  readonly incidentId: number;
  readonly attempt: string;
  readonly onsetStep: number;
  readonly endStep: number | null;
  readonly title: string;
  readonly severity: Severity;
  readonly state: string;
  readonly findingState: string;
  readonly ongoing: boolean;
  /** What a person said of the alarm. */
  readonly label: string | null;
}

export interface CheckpointRecords extends CheckpointEvidence {
  /** Of all runs, newest first by when they were saved, else told. */
  list(
    question: CheckpointListQuestion,
  ): Promise<{ readonly items: readonly StoredCheckpoint[]; readonly total: number; readonly next: string | null }>;
  get(id: number): Promise<StoredCheckpoint | null>;
  /** The one of the highest step at or before `step` that is not incomplete; `attempt` null: of any. */
  newestAt(runId: number, attempt: string | null, step: number): Promise<{ readonly checkpointId: number; readonly step: number } | null>;
  /** Those of the same run and kind next to it by step. */
  neighbours(stored: StoredCheckpoint): Promise<{
    readonly previous: { readonly checkpointId: number; readonly step: number } | null;
    readonly next: { readonly checkpointId: number; readonly step: number } | null;
  }>;
  /** How many incidents, worse than a note and not labelled wrong, began within each of these lists of reaches; in their order. Index: (run_id, state). */
  incidentCounts(paths: readonly (readonly AttemptReach[])[]): Promise<readonly number[]>;
  /** Those incidents of one list of reaches, the worst and then the latest first, and how many there are. */
  events(path: readonly AttemptReach[], limit: number): Promise<{ readonly items: readonly TrainingEvent[]; readonly total: number }>;
  /** Onset step of the earliest finding of a detector within these reaches that has not recovered and whose incident nobody has labelled wrong. Index: (run_id, detected_step) of finding. */
  earliestOnset(path: readonly AttemptReach[], detector: string): Promise<number | null>;
}

export function createCheckpointRecords(db: Db): CheckpointRecords {
  const get = async (id: number): Promise<StoredCheckpoint | null> => (await storedCheckpoints(db, [id]))[0] ?? null;
  return {
    ...createCheckpointEvidence(db),
    get,
    list: (question) => listCheckpoints(db, question, (ids) => storedCheckpoints(db, ids)),
    async newestAt(runId, attempt, step) {
      const row = await db.checkpoint.findFirst({
        where: { runId, step: { lte: step }, state: { not: "incomplete" }, ...(attempt === null ? {} : { attempt }) },
        orderBy: [{ step: "desc" }, { id: "desc" }],
        select: { id: true, step: true },
      });
      return row === null ? null : { checkpointId: row.id, step: row.step };
    },
    async neighbours({ run, checkpoint }) {
      const { step, kind } = checkpoint;
      const select = { id: true, step: true };
      const of = { runId: run.runId, kind };
      const previous = await db.checkpoint.findFirst({
        where: { ...of, step: { lt: step } },
        orderBy: [{ step: "desc" }, { id: "desc" }],
        select,
      });
      const next = await db.checkpoint.findFirst({
        where: { ...of, step: { gt: step } },
        orderBy: [{ step: "asc" }, { id: "desc" }],
        select,
      });
      const named = (row: typeof next) => (row === null ? null : { checkpointId: row.id, step: row.step });
      return { previous: named(previous), next: named(next) };
    },
    async incidentCounts(paths) {
      const flat = paths.flatMap((path, place) => path.map((reach) => ({ ...reach, place })));
      if (flat.length === 0) return paths.map(() => 0);
      const rows = await db.$queryRaw<{ place: number; count: number }[]>`
        SELECT p.place, count(*)::int AS count FROM ${reachTable(flat)} JOIN incident i ON ${IS_EVENT} GROUP BY p.place`;
      const counts = new Map(rows.map(({ place, count }) => [place, count]));
      return paths.map((_, place) => counts.get(place) ?? 0);
    },
    async events(path, limit) {
      if (path.length === 0) return { items: [], total: 0 };
      const rows = await db.$queryRaw<(Omit<TrainingEvent, "severity"> & { readonly severity: string; readonly total: number })[]>`
        SELECT i.id AS "incidentId", i.attempt, i.onset_step AS "onsetStep", i.end_step AS "endStep", i.title, i.severity, i.state, i.finding_state AS "findingState",
          i.ongoing, i.label, count(*) OVER ()::int AS total
        FROM ${reachTable(path.map((reach) => ({ ...reach, place: 0 })))} JOIN incident i ON ${IS_EVENT}
        ORDER BY array_position(ARRAY['critical', 'warning'], i.severity), i.onset_step DESC, i.id DESC LIMIT ${limit}`;
      return {
        items: rows.map(({ total: _total, severity, ...row }) => ({ ...row, severity: known(SEVERITIES, severity) })),
        total: rows[0]?.total ?? 0,
      };
    },
    async earliestOnset(path, detector) {
      if (path.length === 0) return null;
      const [row] = await db.$queryRaw<{ step: number | null }[]>`
        SELECT min(f.onset_step) AS step FROM ${reachTable(path.map((reach) => ({ ...reach, place: 0 })))}
        JOIN finding f ON f.run_id = p.run_id AND f.attempt = p.attempt AND f.onset_step <= p.through_step AND f.detector = ${detector}
        LEFT JOIN incident i ON i.id = f.incident_id WHERE i.label IS DISTINCT FROM 'wrong' AND f.state <> 'recovered'`;
      return row?.step ?? null;
    },
  };
}

/** An incident that a person has called wrong is none, and one that was merged into another is that one's. */
const IS_EVENT = Prisma.sql`i.run_id = p.run_id AND i.attempt = p.attempt AND i.onset_step <= p.through_step AND i.severity <> 'info' AND i.label IS DISTINCT FROM 'wrong' AND i.merged_into IS NULL`;

/** Prisma sends no Infinity within an array: an attempt that goes on ends at the last step there can be. */
function reachTable(reaches: readonly (AttemptReach & { readonly place: number })[]): Prisma.Sql {
  return Prisma.sql`unnest(${reaches.map(({ place }) => place)}::int[], ${reaches.map(({ runId }) => runId)}::int[], ${reaches.map(({ attempt }) => attempt)}::text[],
    ${reaches.map(({ throughStep }) => Math.min(throughStep, Number.MAX_SAFE_INTEGER))}::float8[]) AS p (place, run_id, attempt, through_step)`;
}

/** In the order of `ids`. */
async function storedCheckpoints(db: Db, ids: readonly number[]): Promise<readonly StoredCheckpoint[]> {
  const rows = await db.checkpoint.findMany({ where: { id: { in: [...ids] } } });
  const runs = await db.run.findMany({
    where: { id: { in: rows.map(({ runId }) => runId) } },
    select: { id: true, project: true, name: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const runById = new Map(runs.map((run) => [run.id, run]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    const run = row === undefined ? undefined : runById.get(row.runId);
    if (row === undefined || run === undefined) return [];
    return [
      {
        checkpointId: id,
        run: { runId: run.id, project: run.project, name: run.name },
        checkpoint: checkpointOf(row),
        createdAtMs: row.createdAtMs,
      },
    ];
  });
}
