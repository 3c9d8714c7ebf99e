import { SEVERITIES, type Overview, type SystemStatus } from "@trainwatch/core";
import type { Db } from "./db.ts";
import type { CoverageEntry } from "./cursor-records.ts";

export type StatusCounts = Omit<SystemStatus, "nowMs" | "version" | "demo" | "fleet" | "newestSampleAtMs">;

export interface StatusRecords {
  /** Counts for the foot of the page, from rows of runs, counters and incidents; no sample is read. */
  read(nowMs: number): Promise<StatusCounts>;
  /** Newest first: what happened of late on any run; what an incident said several times in the same words is one entry. */
  recent(limit: number): Promise<Overview["recent"]>;
  newestVerifiedCheckpoint(): Promise<Overview["newestVerifiedCheckpoint"]>;
  /** Such as `18.0`; a cheap way to learn that the database answers. */
  databaseVersion(): Promise<string>;
  /** The database's clock, epoch ms: it may differ from ours. */
  databaseTimeMs(): Promise<number>;
  /** GPUs of runs that are running now; null where no such run has said how many it uses. */
  gpusWatched(): Promise<number | null>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** More blind detectors than this are not told apart at the foot of a page. */
const MAX_BLIND = 100;
/** Entries that are read for each that is shown: so often may the same be said before the list grows short. */
const REPEATS = 10;

export function createStatusRecords(db: Db): StatusRecords {
  return {
    async read(nowMs) {
      const [runs, ingest, openIncidents, blind, lag] = await Promise.all([
        readRuns(db, nowMs),
        readIngest(db, nowMs),
        countOpen(db),
        readBlind(db),
        readLag(db, nowMs),
      ]);
      return { ...runs, ...ingest, openIncidents, blind, detectLagMs: lag };
    },
    async recent(limit) {
      return db.$queryRaw<Overview["recent"][number][]>`
        SELECT max(e.at_ms) AS "atMs", e.text, e.incident_id AS "incidentId", e.run_id AS "runId", count(*)::int AS times
        FROM (
          SELECT e.id, e.at_ms, e.text, e.incident_id, i.run_id
          FROM incident_event e JOIN incident i ON i.id = e.incident_id LEFT JOIN run r ON r.id = i.run_id
          WHERE e.at_ms IS NOT NULL AND r.archived_at_ms IS NULL ORDER BY e.id DESC LIMIT ${limit * REPEATS}
        ) e
        GROUP BY e.incident_id, e.run_id, e.text ORDER BY max(e.id) DESC LIMIT ${limit}`;
    },
    async newestVerifiedCheckpoint() {
      const [row] = await db.$queryRaw<NonNullable<Overview["newestVerifiedCheckpoint"]>[]>`
        SELECT c.run_id AS "runId", r.project || '/' || r.name AS run, c.step, c.saved_at_ms AS "savedAtMs"
        FROM checkpoint c JOIN run r ON r.id = c.run_id
        WHERE c.state = 'verified' AND r.archived_at_ms IS NULL
        ORDER BY coalesce(c.saved_at_ms, c.created_at_ms) DESC, c.id DESC LIMIT 1`;
      return row ?? null;
    },
    async databaseVersion() {
      const [row] = await db.$queryRaw<{ server_version: string }[]>`SHOW server_version`;
      return row?.server_version ?? "unknown";
    },
    async databaseTimeMs() {
      const [row] = await db.$queryRaw<{ ms: number }[]>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
      if (row === undefined) throw new TypeError("the database gave no time");
      return row.ms;
    },
    async gpusWatched() {
      const { _sum } = await db.run.aggregate({ where: { state: "running", archivedAtMs: null }, _sum: { gpus: true } });
      return _sum.gpus;
    },
  };
}

/** A run reports while it is `running`; it is active until somebody has said that it ended. */
async function readRuns(db: Db, nowMs: number): Promise<Pick<StatusCounts, "newestRunSampleAtMs" | "runsReporting" | "runsActive">> {
  const [row] = await db.$queryRaw<{ newest: number | null; reporting: number; active: number }[]>`
    SELECT max(least(last_sample_at_ms, ${nowMs})) AS newest,
      count(*) FILTER (WHERE state = 'running')::int AS reporting,
      count(*) FILTER (WHERE state IN ('running', 'silent', 'stalled'))::int AS active
    FROM run WHERE archived_at_ms IS NULL`;
  return { newestRunSampleAtMs: row?.newest ?? null, runsReporting: row?.reporting ?? 0, runsActive: row?.active ?? 0 };
}

/** Counters hold whole minutes: the rate is over the newest full one and what has passed of this one. */
async function readIngest(db: Db, nowMs: number): Promise<Pick<StatusCounts, "samplesPerSecond" | "lastHour">> {
  const thisMinuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const [row] = await db.$queryRaw<{ accepted: number; repeated: number; refused: number; recent: number }[]>`
    SELECT coalesce(sum(accepted), 0)::float8 AS accepted, coalesce(sum(repeated), 0)::float8 AS repeated, coalesce(sum(refused), 0)::float8 AS refused,
      coalesce(sum(accepted) FILTER (WHERE minute_ms >= ${thisMinuteMs - MINUTE_MS}), 0)::float8 AS recent
    FROM (SELECT minute_ms, accepted, repeated, refused FROM ingest_counter
      UNION ALL SELECT minute_ms, accepted, repeated, refused FROM fleet_counter) counter WHERE minute_ms > ${nowMs - HOUR_MS}`;
  const { accepted = 0, repeated = 0, refused = 0, recent = 0 } = row ?? {};
  const recentS = (nowMs - thisMinuteMs + MINUTE_MS) / 1_000;
  return { samplesPerSecond: recent / recentS, lastHour: { accepted, repeated, refused } };
}

async function countOpen(db: Db): Promise<StatusCounts["openIncidents"]> {
  const rows = await db.incident.groupBy({
    by: ["severity"],
    where: { state: { not: "resolved" }, OR: [{ runId: null }, { run: { archivedAtMs: null } }] },
    _count: true,
  });
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { severity, _count } of rows) {
    const known = SEVERITIES.find((word) => word === severity);
    if (known !== undefined) counts[known] = _count;
  }
  return counts;
}

/** Of active runs, on their newest attempt. */
async function readBlind(db: Db): Promise<StatusCounts["blind"]> {
  const rows = await db.$queryRaw<{ runId: number; run: string; coverage: readonly CoverageEntry[] }[]>`
    SELECT r.id AS "runId", r.project || '/' || r.name AS run, s.coverage
    FROM run r JOIN detect_state s ON s.run_id = r.id AND s.attempt = r.attempt
    WHERE r.archived_at_ms IS NULL AND r.state IN ('running', 'silent', 'stalled') ORDER BY r.id DESC LIMIT ${MAX_BLIND}`;
  const blind = rows.flatMap(({ runId, run, coverage }) =>
    coverage.filter((entry) => !entry.sees).map(({ detector, why }) => ({ runId, run, detector, why: why ?? "it has not said why" })),
  );
  return blind.slice(0, MAX_BLIND);
}

/** How long the oldest unread push has been waiting; 0 where all is read. */
async function readLag(db: Db, nowMs: number): Promise<number | null> {
  const [row] = await db.$queryRaw<{ oldest: number | null; read: boolean }[]>`
    SELECT min(r.last_received_at_ms) FILTER (WHERE c.run_id IS NULL OR c.arrival < r.arrivals) AS oldest, count(c.run_id) > 0 AS read
    FROM run r LEFT JOIN detect_cursor c ON c.run_id = r.id WHERE r.arrivals > 0`;
  if (row === undefined || (row.oldest === null && !row.read)) return null;
  return row.oldest === null ? 0 : Math.max(0, nowMs - row.oldest);
}
