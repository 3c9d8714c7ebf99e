import type { CheckpointPage, MetricKeyPage, RunMetadata, RunNote, RunPage, RunState, RunSummary } from "@trainwatch/core";
import { removeSamples } from "../samples/remove.ts";
import { attemptOf, type StoredAttempt } from "./attempt-rows.ts";
import type { Db } from "./db.ts";
import { loggedMetrics, type LoggedMetricsQuestion } from "./logged-metrics.ts";
import { listMetricKeys, type MetricKeyQuestion } from "./metric-keys.ts";
import { readPushTimes } from "./push-times.ts";
import { runFacts, type NamedRun, type RunFacts } from "./run-facts.ts";
import { listRuns, type RunQuestion } from "./run-list.ts";
import { readCheckpoints, readNotes, type CheckpointQuestion, type NotePage } from "./run-marks.ts";
import { readMoves, type MovedAfter, type MovePage } from "./run-moves.ts";
import { runSigns, type RunSigns } from "./run-signs.ts";
import { runSummaries } from "./run-summaries.ts";

export interface Judged {
  /** Whether any of them sees. */
  readonly watched: boolean;
  readonly stepTimeS: number | null;
  readonly logEvery: number | null;
}

export interface KnownAxes {
  /** Some point has a time. */
  readonly hasTimes: boolean;
  /** The run logs `tokens_consumed`. */
  readonly hasTokens: boolean;
}

export interface RunRecords {
  list(question: RunQuestion): Promise<RunPage>;
  summaries(ids: readonly number[]): Promise<readonly RunSummary[]>;
  facts(id: number): Promise<RunFacts | null>;
  /** Null where no run is called so. */
  idOf(project: string, name: string): Promise<number | null>;
  attempts(id: number): Promise<readonly StoredAttempt[]>;
  /** At most `limit`, oldest step first, and how many there are. */
  checkpoints(id: number, question: CheckpointQuestion): Promise<CheckpointPage>;
  /** The newest ones, oldest first, and how many there are. */
  notes(id: number, limit: number): Promise<NotePage>;
  /** When the newest pushes came, epoch ms, oldest first; those that may still be repeated. */
  pushTimes(id: number, limit: number): Promise<readonly number[]>;
  metricKeys(question: MetricKeyQuestion): Promise<MetricKeyPage>;
  /** Points by metric, of those that are asked about and logged. */
  loggedMetrics(question: LoggedMetricsQuestion): Promise<ReadonlyMap<string, number>>;
  /** What its samples know beside their steps, from the heads of its series. */
  axes(id: number): Promise<KnownAxes>;
  /** False where it is archived already. */
  archive(id: number, nowMs: number): Promise<boolean>;
  unarchive(id: number): Promise<boolean>;
  /** Deletes the run and all that hangs on it, samples too; false where it is gone already. Call it inside a transaction: it locks the run first. */
  delete(id: number): Promise<boolean>;
  /** Runs that have not moved since a time, longest idle first. */
  idleSince(beforeMs: number, limit: number): Promise<readonly NamedRun[]>;
  /** Fields left out stay as they are. */
  setMetadata(id: number, patch: { readonly [Key in keyof RunMetadata]?: RunMetadata[Key] | undefined }): Promise<RunMetadata>;
  setJudged(id: number, judged: Judged): Promise<void>;
  addNote(id: number, note: RunNote, nowMs: number): Promise<void>;
  /** A word for each run that changes whenever its samples do. */
  dataVersions(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Runs that moved after a place, with where they stand, a page at a time. */
  movedAfter(after: MovedAfter, limit: number): Promise<MovePage>;
  /** Of every run whose end nobody has told: such a run may change state as time passes. */
  signs(): Promise<readonly RunSigns[]>;
  /** Changes the state where it still is `from`; false when somebody was faster. */
  setState(
    id: number,
    change: { readonly from: RunState; readonly to: RunState; readonly reason: string; readonly nowMs: number },
  ): Promise<boolean>;
}

export function createRunRecords(db: Db): RunRecords {
  return {
    list: (question) => listRuns(db, question),
    summaries: (ids) => runSummaries(db, ids),
    async facts(id) {
      const run = await db.run.findUnique({ where: { id } });
      return run === null ? null : runFacts(run);
    },
    async idOf(project, name) {
      return (await db.run.findUnique({ where: { project_name: { project, name } }, select: { id: true } }))?.id ?? null;
    },
    async attempts(id) {
      return (await db.attempt.findMany({ where: { runId: id }, orderBy: { ordinal: "asc" } })).map(attemptOf);
    },
    checkpoints: (id, question) => readCheckpoints(db, id, question),
    notes: (id, limit) => readNotes(db, id, limit),
    pushTimes: (id, limit) => readPushTimes(db, id, limit),
    metricKeys: (question) => listMetricKeys(db, question),
    loggedMetrics: (question) => loggedMetrics(db, question),
    async axes(id) {
      const [row] = await db.$queryRaw<KnownAxes[]>`
        SELECT EXISTS (SELECT FROM samples.head WHERE group_id = ${id} AND first_time_ms IS NOT NULL) AS "hasTimes",
          EXISTS (SELECT FROM series WHERE run_id = ${id} AND metric = 'tokens_consumed') AS "hasTokens"`;
      return row ?? { hasTimes: false, hasTokens: false };
    },
    async archive(id, nowMs) {
      return (await db.run.updateMany({ where: { id, archivedAtMs: null }, data: { archivedAtMs: nowMs } })).count === 1;
    },
    async unarchive(id) {
      return (await db.run.updateMany({ where: { id, archivedAtMs: { not: null } }, data: { archivedAtMs: null } })).count === 1;
    },
    async delete(id) {
      const held = await db.$queryRaw<readonly unknown[]>`SELECT 1 FROM run WHERE id = ${id} FOR UPDATE`;
      if (held.length === 0) return false;
      await removeSamples((sql, values) => db.$queryRawUnsafe(sql, ...values), id);
      return (await db.run.deleteMany({ where: { id } })).count === 1;
    },
    async idleSince(beforeMs, limit) {
      const rows = await db.run.findMany({
        where: { createdAtMs: { lt: beforeMs }, OR: [{ lastReceivedAtMs: null }, { lastReceivedAtMs: { lt: beforeMs } }] },
        orderBy: { lastReceivedAtMs: "asc" },
        take: limit,
      });
      return rows.map(runFacts);
    },
    async setMetadata(id, patch) {
      const data = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      return runFacts(await db.run.update({ where: { id }, data })).metadata;
    },
    async setJudged(id, judged) {
      await db.run.updateMany({ where: { id }, data: judged });
    },
    async addNote(id, { kind, attempt, step, timeMs, text }, nowMs) {
      await db.runNote.create({ data: { runId: id, kind, attempt, step, timeMs, text, createdAtMs: nowMs } });
    },
    async dataVersions(ids) {
      const runs = await db.run.findMany({ where: { id: { in: [...ids] } }, select: { id: true, arrivals: true, relabels: true } });
      return new Map(runs.map(({ id, arrivals, relabels }) => [id, `${arrivals}.${relabels}`]));
    },
    movedAfter: (after, limit) => readMoves(db, after, limit),
    signs: () => runSigns(db),
    async setState(id, { from, to, reason, nowMs }) {
      const { count } = await db.run.updateMany({
        where: { id, state: from, endedAtMs: null },
        data: { state: to, stateReason: reason, stateSinceMs: nowMs },
      });
      return count === 1;
    },
  };
}
