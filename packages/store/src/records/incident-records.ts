import type {
  CauseAssessment,
  FoldReach,
  Incident,
  IncidentState,
  Label,
  OpenIncidentTotals,
  Severity,
  TimelineEntry,
} from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { foldableIncidents, incidentColumns, storedIncidents } from "./incident-rows.ts";
import { IS_BURNING } from "./incident-standing.ts";
import { openIncidentTotals } from "./incident-totals.ts";
import { asJson } from "./json.ts";
import { mergeIncidents, withMerged, type IncidentMerge } from "./merge-incidents.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import type { StoredIncident } from "./stored-incident.ts";
import { entryOf, timelineEntry } from "./timeline.ts";

export interface IncidentQuestion {
  /** Empty: any. */
  readonly states: readonly IncidentState[];
  readonly severities: readonly Severity[];
  /** What people said of the alarm; `none` is nothing so far. Empty or left out: any. */
  readonly labels?: readonly (Label | "none")[];
  readonly runId: number | null;
  /** Whether those of archived runs are among them. */
  readonly archivedRuns: boolean;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface FoldQuestion {
  /** Incidents of these runs that are open, were changed since a time, go on, or ended within reach. */
  readonly runIds: readonly number[];
  /** Null: however long ago they ended. */
  readonly reach: FoldReach | null;
  /** And those of no run, and those about these nodes (ids as in `Entity`), that are open or were changed since a time. */
  readonly nodeIds: readonly string[];
  readonly sinceMs: number;
  /** And those that hold one of these findings. */
  readonly findingIds: readonly string[];
}

export interface FoldableIncident {
  readonly runId: number | null;
  readonly incident: Incident & { readonly id: number };
}

export interface TimelinePart {
  readonly items: readonly TimelineEntry[];
  readonly total: number;
}

export interface IncidentRecords {
  /** Unacknowledged first, worst first, then by GPUs at stake, then newest. What was merged into another is that one's. */
  list(
    question: IncidentQuestion,
  ): Promise<{ readonly items: readonly StoredIncident[]; readonly total: number; readonly next: string | null }>;
  /** Sums over all that are not resolved, of runs that are not archived. */
  openTotals(): Promise<OpenIncidentTotals>;
  get(id: number): Promise<StoredIncident | null>;
  /** All of a run with their findings, save what was merged into another. */
  ofRun(runId: number): Promise<readonly Incident[]>;
  find(id: number): Promise<Incident | null>;
  /** Those of a run that are not resolved and on whose newest advice nobody has decided. */
  undecided(runId: number): Promise<readonly { readonly id: number; readonly attempt: string; readonly onsetStep: number | null }[]>;
  /** Stores a new incident and answers its id; null where the finding that opens it has opened one already. Findings are stored apart. */
  create(runId: number | null, incident: Incident, opener: string, nowMs: number): Promise<number | null>;
  /** Replaces the row where its state is still among `from`; false when somebody was faster. */
  update(id: number, incident: Incident, from: readonly IncidentState[], nowMs: number): Promise<boolean>;
  /** It was of no run until a finding showed for which its node had worked: its findings are that run's as well. */
  setRun(id: number, runId: number): Promise<void>;
  /** Closes incidents that turned out to be one with an elder one; false when somebody has changed one of them meanwhile. The elder's row is updated apart. */
  merge(merge: IncidentMerge): Promise<boolean>;
  setAssessment(id: number, assessment: CauseAssessment): Promise<void>;
  /** Those that findings may be folded into, with their findings. */
  foldable(question: FoldQuestion): Promise<readonly FoldableIncident[]>;
  /** One at a time folds findings into incidents: whoever comes second sees what the first has made. Until the transaction ends. */
  lockFolds(): Promise<void>;
  addTimeline(id: number, entry: TimelineEntry): Promise<void>;
  /** The newest `limit` entries, oldest first, and how many there are, with those of what was merged into it. Index: incident_id of `incident_event`. */
  timeline(id: number, limit: number): Promise<TimelinePart>;
  /** Who resolved it last, and with what words; null where nobody has. */
  lastResolved(id: number): Promise<TimelineEntry | null>;
}

/** First key of the advisory lock of folding; those of the fleet's records and samples are 7,311 and on. */
const FOLDS = 7_321;

export function createIncidentRecords(db: Db): IncidentRecords {
  return {
    async list(question) {
      const offset = question.cursor === null ? 0 : Number(decodeCursor(question.cursor, 1)[0]);
      const where = incidentFilter(question);
      const ranked = await db.$queryRaw<{ id: number; total: number }[]>`
        SELECT i.id, count(*) OVER ()::int AS total
        FROM incident i LEFT JOIN run r ON r.id = i.run_id
        WHERE ${where}
        ORDER BY array_position(ARRAY['open', 'snoozed', 'acknowledged', 'resolved'], i.state),
          array_position(ARRAY['critical', 'warning', 'info'], i.severity),
          CASE WHEN ${IS_BURNING} THEN coalesce(r.gpus, 0) ELSE 0 END DESC, i.opened_at_ms DESC, i.id DESC
        LIMIT ${question.limit} OFFSET ${offset}`;
      const stored = await storedIncidents(db, await db.incident.findMany({ where: { id: { in: ranked.map(({ id }) => id) } } }));
      const byId = new Map(stored.map((incident) => [incident.id, incident]));
      const items = ranked.flatMap(({ id }) => byId.get(id) ?? []);
      const total = ranked[0]?.total ?? (offset === 0 ? 0 : await countMatching(db, where));
      const end = offset + ranked.length;
      return { items, total, next: ranked.length > 0 && end < total ? encodeCursor([end]) : null };
    },
    openTotals: () => openIncidentTotals(db),
    async get(id) {
      const [stored] = await storedIncidents(db, await db.incident.findMany({ where: { id } }));
      return stored ?? null;
    },
    async ofRun(runId) {
      return foldableIncidents(db, await db.incident.findMany({ where: { runId, mergedInto: null }, orderBy: { id: "asc" } }));
    },
    async find(id) {
      const [incident] = await foldableIncidents(db, await db.incident.findMany({ where: { id } }));
      return incident ?? null;
    },
    undecided: (runId) => db.$queryRaw`
      SELECT i.id, i.attempt, i.onset_step AS "onsetStep" FROM incident i
      WHERE i.run_id = ${runId} AND i.state <> 'resolved' AND NOT EXISTS (
        SELECT FROM decision d WHERE d.incident_id = i.id AND d.advice_id = (SELECT max(a.id) FROM advice a WHERE a.incident_id = i.id))
      ORDER BY i.id`,
    async create(runId, incident, opener, nowMs) {
      const [row] = await db.incident.createManyAndReturn({
        data: [{ runId, fingerprint: opener, updatedAtMs: nowMs, ...incidentColumns(incident) }],
        skipDuplicates: true,
        select: { id: true },
      });
      return row?.id ?? null;
    },
    async update(id, incident, from, nowMs) {
      const { count } = await db.incident.updateMany({
        where: { id, state: { in: [...from] } },
        data: { ...incidentColumns(incident), updatedAtMs: nowMs },
      });
      return count === 1;
    },
    async setRun(id, runId) {
      await db.incident.updateMany({ where: { id, runId: null }, data: { runId } });
      await db.finding.updateMany({ where: { incidentId: id, runId: null }, data: { runId } });
    },
    merge: (merge) => mergeIncidents(db, merge),
    async setAssessment(id, assessment) {
      await db.incident.updateMany({ where: { id }, data: { assessment: asJson(assessment) } });
    },
    async foldable({ runIds, reach, nodeIds, sinceMs, findingIds }) {
      // Indexes: (run_id, state), (state, opened_at_ms), updated_at_ms; of findings incident_id and the primary key.
      const rows = await db.$queryRaw<{ id: number }[]>`
        SELECT i.id FROM incident i WHERE i.run_id = ANY(${[...runIds]}::int[]) AND i.merged_into IS NULL AND (i.state <> 'resolved' OR i.updated_at_ms >= ${sinceMs}::float8
          OR i.ongoing OR ${endedWithin(reach)})
        UNION SELECT i.id FROM incident i WHERE (i.state <> 'resolved' OR i.updated_at_ms >= ${sinceMs}::float8) AND i.merged_into IS NULL AND (i.run_id IS NULL
          OR EXISTS (SELECT FROM finding f WHERE f.incident_id = i.id AND f.body->'place'->>'nodeId' = ANY(${[...nodeIds]}::text[])))
        UNION SELECT f.incident_id FROM finding f WHERE f.id = ANY(${[...findingIds]}::text[]) AND f.incident_id IS NOT NULL`;
      const incidents = await db.incident.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, orderBy: { id: "asc" } });
      const runOf = new Map(incidents.map(({ id, runId }) => [id, runId]));
      return (await foldableIncidents(db, incidents)).flatMap((incident) =>
        incident.id === null ? [] : [{ runId: runOf.get(incident.id) ?? null, incident: { ...incident, id: incident.id } }],
      );
    },
    async lockFolds() {
      await db.$queryRaw`SELECT pg_advisory_xact_lock(${FOLDS}::int, 0)::text`;
    },
    async addTimeline(id, { kind, atMs, step, actor, text }) {
      await db.incidentEvent.create({ data: { incidentId: id, kind, atMs, step, actor, text } });
    },
    async timeline(id, limit) {
      const where = { incidentId: { in: await withMerged(db, id) } };
      const rows = await db.incidentEvent.findMany({ where, orderBy: { id: "desc" }, take: limit });
      const total = rows.length < limit ? rows.length : await db.incidentEvent.count({ where });
      return { items: rows.reverse().map((row) => entryOf(id, row)), total };
    },
    async lastResolved(id) {
      const row = await db.incidentEvent.findFirst({ where: { incidentId: id, kind: "resolved" }, orderBy: { id: "desc" } });
      return row === null ? null : timelineEntry(row);
    },
  };
}

/** What names neither a step nor a time at its end may end anywhere; of several findings some may tell only when they were detected. */
function endedWithin(reach: FoldReach | null): Prisma.Sql {
  if (reach === null) return Prisma.sql`true`;
  return Prisma.sql`(i.end_step IS NULL AND i.end_time_ms IS NULL) OR i.end_step >= ${reach.fromStep}::float8 OR i.end_time_ms >= ${reach.fromMs}::float8
    OR EXISTS (SELECT FROM finding f WHERE f.incident_id = i.id AND (f.detected_step >= ${reach.fromStep}::float8 OR f.detected_time_ms >= ${reach.fromMs}::float8))`;
}

function incidentFilter({ states, severities, labels = [], runId, archivedRuns }: IncidentQuestion): Prisma.Sql {
  const conditions = [
    states.length === 0 ? Prisma.sql`true` : Prisma.sql`i.state IN (${Prisma.join([...states])})`,
    severities.length === 0 ? Prisma.sql`true` : Prisma.sql`i.severity IN (${Prisma.join([...severities])})`,
    Prisma.sql`i.merged_into IS NULL`,
    labels.length === 0 ? Prisma.sql`true` : Prisma.sql`coalesce(i.label, 'none') IN (${Prisma.join([...labels])})`,
    runId === null ? Prisma.sql`true` : Prisma.sql`i.run_id = ${runId}`,
    archivedRuns ? Prisma.sql`true` : Prisma.sql`r.archived_at_ms IS NULL`,
  ];
  return Prisma.join(conditions, " AND ");
}

async function countMatching(db: Db, where: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<
    { total: number }[]
  >`SELECT count(*)::int AS total FROM incident i LEFT JOIN run r ON r.id = i.run_id WHERE ${where}`;
  return row?.total ?? 0;
}
