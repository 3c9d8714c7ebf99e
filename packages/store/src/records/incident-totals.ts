import type { OpenIncidentTotals } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { IS_BURNING } from "./incident-standing.ts";

type Row = Omit<OpenIncidentTotals, "rateUnknown"> & { readonly noGpus: number; readonly silent: number };

const NONE: Row = { total: 0, untaken: 0, burning: 0, gpuHoursPerHour: 0, noGpus: 0, silent: 0, gpuHoursSoFar: 0, costUnknown: 0 };

/**
 * Sums over every incident that is not resolved, of runs that are not archived. What one of them costs is said by `incidentCost` of the api,
 * and here again in SQL, so that the sum does not end with a page; a test holds the two together.
 * Index: (state, opened_at_ms) of `incident`; then the primary key of `run` and (run_id, name) of `attempt`.
 */
export async function openIncidentTotals(db: Db): Promise<OpenIncidentTotals> {
  const [row = NONE] = await db.$queryRaw<Row[]>`
    WITH open AS (
      SELECT i.run_id, i.state = 'open' AND i.acknowledged_at_ms IS NULL AS untaken, r.gpus,
        ${IS_BURNING} AS is_on, r.state = 'silent' AS is_silent,
        -- greatest would take an unknown number of steps for none.
        CASE WHEN coalesce(i.end_step, a.last_step) IS NOT NULL AND i.onset_step IS NOT NULL
          THEN greatest(0, coalesce(i.end_step, a.last_step) - i.onset_step) * r.step_time_s * r.gpus / 3600 END AS cost
      FROM incident i LEFT JOIN run r ON r.id = i.run_id LEFT JOIN attempt a ON a.run_id = i.run_id AND a.name = i.attempt
      WHERE i.state IN ('open', 'acknowledged', 'snoozed') AND r.archived_at_ms IS NULL
    ), costed AS (
      SELECT *, CASE WHEN NOT coalesce(is_on, false) THEN 0 WHEN is_silent THEN NULL ELSE gpus END AS rate,
        CASE WHEN is_on AND is_silent THEN NULL ELSE cost END AS so_far FROM open
    )
    SELECT count(*)::int AS total,
      count(*) FILTER (WHERE untaken)::int AS untaken,
      count(*) FILTER (WHERE rate > 0)::int AS burning,
      -- A run with two faults burns its GPUs once.
      CASE WHEN count(*) = 0 THEN 0 ELSE (SELECT sum(rate) FROM (SELECT max(rate) AS rate FROM costed GROUP BY run_id) a_run) END::float8 AS "gpuHoursPerHour",
      count(*) FILTER (WHERE rate IS NULL AND gpus IS NULL)::int AS "noGpus",
      count(*) FILTER (WHERE rate IS NULL AND gpus IS NOT NULL)::int AS silent,
      CASE WHEN count(*) = 0 THEN 0 ELSE sum(so_far) END::float8 AS "gpuHoursSoFar",
      count(*) FILTER (WHERE so_far IS NULL)::int AS "costUnknown"
    FROM costed`;
  const { noGpus, silent, ...known } = row;
  return { ...known, rateUnknown: { noGpus, silent } };
}
