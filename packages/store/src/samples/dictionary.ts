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

/** What a reader of arrivals needs of it. */
export type Names = Pick<Dictionary, "attempts" | "series" | "arrivals">;

/**
 * Names of a run's series, for a reader that comes again and again: a run of 16,384 ranks has a hundred thousand, which change seldom.
 * They are read anew when the run has another number of series than before. The least recently asked for is forgotten.
 */
export function createNameBook(maxSeries: number): {
  read(client: pg.ClientBase, runId: number, metrics: readonly string[]): Promise<Names | null>;
} {
  const held = new Map<string, { readonly count: number; readonly series: readonly KnownSeries[] }>();
  const forget = (): void => {
    let total = 0;
    for (const [key, { series }] of [...held].toReversed()) {
      total += series.length;
      if (total > maxSeries) held.delete(key);
    }
  };
  return {
    async read(client, runId, metrics) {
      const run = await client.query<{ arrivals: number; count: number }>(
        'SELECT arrivals, series_count AS "count" FROM run WHERE id = $1',
        [runId],
      );
      const [found] = run.rows;
      if (found === undefined) return null;
      const key = `${runId} ${metrics.join(" ")}`;
      const known = held.get(key);
      held.delete(key);
      const series = known?.count === found.count ? known.series : await readSeries(client, runId, metrics, maxSeries);
      held.set(key, { count: found.count, series });
      forget();
      return { attempts: await readAttempts(client, runId), series, arrivals: found.arrivals };
    },
  };
}

async function readAttempts(client: pg.ClientBase, runId: number): Promise<readonly KnownAttempt[]> {
  const { rows } = await client.query<KnownAttempt>(
    'SELECT id, name, parent, branch_step AS "branchStep", first_step AS "firstStep", last_step AS "lastStep" FROM attempt WHERE run_id = $1 ORDER BY ordinal',
    [runId],
  );
  return rows;
}

async function readSeries(
  client: pg.ClientBase,
  runId: number,
  metrics: readonly string[] | null,
  limit: number,
  ranks: readonly string[] | null = null,
): Promise<readonly KnownSeries[]> {
  const { rows } = await client.query<KnownSeries>(
    `SELECT id, metric, unit, labels FROM series WHERE run_id = $1 AND ($2::text[] IS NULL OR metric = ANY($2))
       AND ($4::text[] IS NULL OR labels ->> 'rank' = ANY($4)) ORDER BY metric, id LIMIT $3`,
    [runId, metrics, limit, ranks],
  );
  return rows;
}

/**
 * The dictionary of a run, of the given metrics only where there are any, and of the given ranks; null for an unknown run. At most `limit` series.
 * The indexes expected are the primary key of `samples.head` and (run_id, metric, labels_key) of `series`.
 */
export async function readDictionary(
  client: pg.ClientBase,
  runId: number,
  metrics: readonly string[] | null,
  limit: number,
  ranks: readonly string[] | null = null,
): Promise<Dictionary | null> {
  const run = await client.query<{ tokensPerStep: number | null; arrivals: number }>(
    'SELECT tokens_per_step AS "tokensPerStep", arrivals FROM run WHERE id = $1',
    [runId],
  );
  const [found] = run.rows;
  if (found === undefined) return null;
  const attempts = await readAttempts(client, runId);
  const series = await readSeries(client, runId, metrics, limit, ranks);
  const heads = await client.query<Head>(
    `SELECT series_id AS "seriesId", attempt_id AS "attemptId", points, far_points AS "farPoints", untimed_points AS "untimedPoints", first_step AS "firstStep", last_step AS "lastStep",
       first_time_ms AS "firstTimeMs", last_time_ms AS "lastTimeMs"
     FROM samples.head WHERE group_id = $1 AND series_id = ANY($2)`,
    [runId, series.map((each) => each.id)],
  );
  return { attempts, series, heads: heads.rows, ...found };
}
