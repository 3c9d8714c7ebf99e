import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";

/**
 * How an incident stands to what its run does now. Its findings never say that their attempt is over, so `incident.ongoing` alone would let a run that was started again an hour ago
 * still diverge. The columns `ongoing` and `attempt` are read beside the run's; nothing here is stored.
 */
export interface IncidentStanding {
  /** It goes on now: in the attempt that runs, in weights that the attempt has gone on from, or on a machine that is still broken, whoever works on it. */
  readonly ongoing: boolean;
  /** The run does now what the incident speaks of: GPUs burn on it. */
  readonly burning: boolean;
  /** The attempt that has followed the incident's own, where nothing of it has gone over to that one; null: it speaks of the run as it is now, or as it ended. */
  readonly replacedBy: string | null;
}

/** A finding of a machine that is not over; its ends are those of `findingIsOn`. A node that a run's own detector accuses is accused by the run's times, which end with the attempt. */
const DEVICE_IS_ON = Prisma.sql`f.incident_id = i.id AND f.severity <> 'info' AND f.state IN ('ongoing', 'diverged', 'non-finite', 'stalled')
  AND f.body->>'endStep' IS NULL AND f.body->>'endTimeMs' IS NULL
  AND f.body->'subject'->>'kind' IN ('gpu', 'node', 'link', 'port', 'switch') AND f.metric NOT IN ('compute_time', 'communication_time', 'data_time', 'step_time')`;

/** `incident i LEFT JOIN run r`. Its attempt is the run's newest, or it is of none. */
const IS_LAST = Prisma.sql`(r.id IS NULL OR i.attempt = '' OR r.attempt IS NULL OR i.attempt = r.attempt)`;

/** Index: incident_id of `finding`. */
const IS_BROKEN = Prisma.sql`EXISTS (SELECT FROM finding f WHERE ${DEVICE_IS_ON})`;

/** The broken machine serves the newest attempt: by GPU where both name one, else by host. Index: (run_id, attempt, …) of `assignment`. */
const WORKS_ON_BROKEN = Prisma.sql`EXISTS (SELECT FROM finding f JOIN assignment s ON s.run_id = r.id AND s.attempt = r.attempt AND (
    (s.gpu_uuid IS NOT NULL AND f.body->'place'->>'gpuId' IS NOT NULL AND lower(replace(s.gpu_uuid, 'GPU-', '')) = lower(split_part(replace(f.body->'place'->>'gpuId', 'GPU-', ''), '/', 1)))
    OR ((s.gpu_uuid IS NULL OR f.body->'place'->>'gpuId' IS NULL) AND s.node IN (f.body->'place'->>'host', f.body->'place'->>'nodeId')))
  WHERE ${DEVICE_IS_ON})`;

/**
 * The newest attempt has gone on from steps after the onset, as its line says (`lineOf` of core), of what stays in the weights: a loss that has settled higher, or never settled, or was no
 * number. A new attempt measures its baseline anew, so that no detector would say it again. A hang or a slow step ends with its attempt. Index: (run_id, name) of `attempt`.
 */
const IS_IN_WEIGHTS = Prisma.sql`(i.finding_state IN ('shifted', 'diverged', 'non-finite') AND EXISTS (
  WITH RECURSIVE line AS (
    SELECT a.name, a.parent, a.ordinal, a.branch_step, 'Infinity'::float8 AS through FROM attempt a WHERE a.run_id = r.id AND a.name = r.attempt
    UNION ALL
    SELECT p.name, p.parent, p.ordinal, p.branch_step, least(line.through, coalesce(line.branch_step, '-Infinity'))
    FROM line JOIN attempt p ON p.run_id = r.id AND p.name = line.parent AND p.ordinal < line.ordinal
  ) SELECT FROM line WHERE line.name = i.attempt AND line.through >= i.onset_step))`;

const SPEAKS_OF_NOW = Prisma.sql`(${IS_LAST} OR (i.ongoing AND (${IS_IN_WEIGHTS} OR ${WORKS_ON_BROKEN})))`;
const HAS_ENDED = Prisma.sql`(r.id IS NOT NULL AND r.ended_at_ms IS NOT NULL)`;

/** Another attempt has followed, and took nothing of it over. */
export const IS_REPLACED = Prisma.sql`(NOT ${SPEAKS_OF_NOW})`;
/** As {@link IncidentStanding}. */
export const IS_BURNING = Prisma.sql`(i.ongoing AND r.id IS NOT NULL AND NOT ${HAS_ENDED} AND ${SPEAKS_OF_NOW})`;
export const IS_ON_NOW = Prisma.sql`(i.ongoing AND ((NOT ${HAS_ENDED} AND ${SPEAKS_OF_NOW}) OR ${IS_BROKEN}))`;

/** By incident. */
export async function incidentStandings(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, IncidentStanding>> {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<(IncidentStanding & { readonly id: number })[]>`
    SELECT i.id, ${IS_ON_NOW} AS ongoing, ${IS_BURNING} AS burning, CASE WHEN ${IS_REPLACED} THEN r.attempt END AS "replacedBy"
    FROM incident i LEFT JOIN run r ON r.id = i.run_id WHERE i.id = ANY(${[...ids]}::int[])`;
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}
