import type { Incident, IncidentState, OpenIncidentTotals, Severity, TimelineEntry } from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { foldableIncidents, incidentColumns, storedIncidents } from "./incident-rows.ts";
import { openIncidentTotals } from "./incident-totals.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import type { StoredIncident } from "./stored-incident.ts";
import { timelineEntry } from "./timeline.ts";

export interface IncidentQuestion {
  /** Empty: any. */
  readonly states: readonly IncidentState[];
  readonly severities: readonly Severity[];
  readonly runId: number | null;
  /** Whether those of archived runs are among them. */
  readonly archivedRuns: boolean;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface IncidentRecords {
  /** Unacknowledged first, worst first, then by GPUs at stake, then newest. */
  list(
    question: IncidentQuestion,
  ): Promise<{ readonly items: readonly StoredIncident[]; readonly total: number; readonly next: string | null }>;
  /** Sums over all that are not resolved, of runs that are not archived. */
  openTotals(): Promise<OpenIncidentTotals>;
  get(id: number): Promise<StoredIncident | null>;
  /** All of a run with their findings, for folding. */
  ofRun(runId: number): Promise<readonly Incident[]>;
  find(id: number): Promise<Incident | null>;
  /** Those of a run that are not resolved and on whose newest advice nobody has decided. */
  undecided(runId: number): Promise<readonly { readonly id: number; readonly attempt: string; readonly onsetStep: number | null }[]>;
  /** Stores a new incident and answers its id; null where the finding that opens it has opened one already. Findings are stored apart. */
  create(runId: number, incident: Incident, opener: string, nowMs: number): Promise<number | null>;
  /** Replaces the row where its state is still among `from`; false when somebody was faster. */
  update(id: number, incident: Incident, from: readonly IncidentState[], nowMs: number): Promise<boolean>;
  addTimeline(id: number, entry: TimelineEntry): Promise<void>;
  timeline(id: number): Promise<readonly TimelineEntry[]>;
}

export function createIncidentRecords(db: Db): IncidentRecords {
  return {
    async list(question) {
      const offset = question.cursor === null ? 0 : Number(decodeCursor(question.cursor, 1)[0]);
      const where = incidentFilter(question);
      const ranked = await db.$queryRaw<{ id: number; total: number }[]>`
        SELECT i.id, count(*) OVER ()::int AS total
        FROM incident i JOIN run r ON r.id = i.run_id
        WHERE ${where}
        ORDER BY array_position(ARRAY['open', 'snoozed', 'acknowledged', 'resolved'], i.state),
          array_position(ARRAY['critical', 'warning', 'info'], i.severity),
          CASE WHEN i.ongoing AND i.attempt = r.attempt AND r.ended_at_ms IS NULL THEN coalesce(r.gpus, 0) ELSE 0 END DESC, i.opened_at_ms DESC, i.id DESC
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
      return foldableIncidents(db, await db.incident.findMany({ where: { runId }, orderBy: { id: "asc" } }));
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
    async addTimeline(id, { kind, atMs, step, actor, text }) {
      await db.incidentEvent.create({ data: { incidentId: id, kind, atMs, step, actor, text } });
    },
    async timeline(id) {
      return (await db.incidentEvent.findMany({ where: { incidentId: id }, orderBy: { id: "asc" } })).map(timelineEntry);
    },
  };
}

function incidentFilter({ states, severities, runId, archivedRuns }: IncidentQuestion): Prisma.Sql {
  const conditions = [
    states.length === 0 ? Prisma.sql`true` : Prisma.sql`i.state IN (${Prisma.join([...states])})`,
    severities.length === 0 ? Prisma.sql`true` : Prisma.sql`i.severity IN (${Prisma.join([...severities])})`,
    runId === null ? Prisma.sql`true` : Prisma.sql`i.run_id = ${runId}`,
    archivedRuns ? Prisma.sql`true` : Prisma.sql`r.archived_at_ms IS NULL`,
  ];
  return Prisma.join(conditions, " AND ");
}

async function countMatching(db: Db, where: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<
    { total: number }[]
  >`SELECT count(*)::int AS total FROM incident i JOIN run r ON r.id = i.run_id WHERE ${where}`;
  return row?.total ?? 0;
}
