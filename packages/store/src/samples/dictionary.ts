import type { AttemptSpan } from "@trainwatch/core";
import type pg from "pg";

/** What a run's samples are called, and what is known of them without reading one. */
export interface Dictionary {
  /** In the order of launch. */
  readonly attempts: readonly KnownAttempt[];
  readonly series: readonly KnownSeries[];
  readonly heads: readonly Head[];
  readonly tokensPerStep: number | null;
  /** Pushes stored so far. */
  readonly arrivals: number;
}

export interface KnownAttempt extends AttemptSpan {
  readonly id: number;
}

export interface KnownSeries {
  readonly id: number;
  readonly metric: string;
  readonly unit: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** One series in one attempt. Steps and times leave far points out. */
export interface Head {
  readonly seriesId: number;
  readonly attemptId: number;
  readonly points: number;
  readonly farPoints: number;
  /** Points without a time. */
  readonly untimedPoints: number;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly firstTimeMs: number | null;
  readonly lastTimeMs: number | null;
}

/**
 * The dictionary of a run, of the given metrics only where there are any; null for an unknown run. At most `limit` series.
 * The indexes expected are the primary key of `samples.head` and (run_id, metric, labels_key) of `series`.
 */
export async function readDictionary(
  client: pg.ClientBase,
  runId: number,
  metrics: readonly string[] | null,
  limit: number,
): Promise<Dictionary | null> {
  const run = await client.query<{ tokensPerStep: number | null; arrivals: number }>(
    'SELECT tokens_per_step AS "tokensPerStep", arrivals FROM run WHERE id = $1',
    [runId],
  );
  const [found] = run.rows;
  if (found === undefined) return null;
  const attempts = await client.query<KnownAttempt>(
    'SELECT id, name, parent, branch_step AS "branchStep", first_step AS "firstStep", last_step AS "lastStep" FROM attempt WHERE run_id = $1 ORDER BY ordinal',
    [runId],
  );
  const series = await client.query<KnownSeries>(
    "SELECT id, metric, unit, labels FROM series WHERE run_id = $1 AND ($2::text[] IS NULL OR metric = ANY($2)) ORDER BY metric, id LIMIT $3",
    [runId, metrics, limit],
  );
  const heads = await client.query<Head>(
    `SELECT series_id AS "seriesId", attempt_id AS "attemptId", points, far_points AS "farPoints", untimed_points AS "untimedPoints", first_step AS "firstStep", last_step AS "lastStep",
       first_time_ms AS "firstTimeMs", last_time_ms AS "lastTimeMs"
     FROM samples.head WHERE group_id = $1 AND series_id = ANY($2)`,
    [runId, series.rows.map((each) => each.id)],
  );
  return { attempts: attempts.rows, series: series.rows, heads: heads.rows, ...found };
}
