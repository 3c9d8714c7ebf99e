import type { AttemptSpan } from "@trainwatch/core";
import type pg from "pg";

/** What a reader of arrivals needs of a run's names. */
export interface Names {
  /** In the order of launch. */
  readonly attempts: readonly KnownAttempt[];
  readonly series: readonly KnownSeries[];
  /** Pushes stored so far. */
  readonly arrivals: number;
}

export interface RunFacts {
  /** In the order of launch. */
  readonly attempts: readonly KnownAttempt[];
  readonly tokensPerStep: number | null;
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

/** Where a series of an attempt lies. */
export type LongestHead = Pick<Head, "seriesId" | "attemptId" | "firstStep" | "lastStep">;

/**
 * Names of a run's series, for a reader that comes again and again: a run of 16,384 ranks has a hundred thousand, which change seldom.
 * They are read anew when the run has another number of series than before. The least recently asked for is forgotten. Of `metrics`, `eval/*` is every metric whose name begins with `eval/`.
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
  metrics: readonly string[],
  limit: number,
): Promise<readonly KnownSeries[]> {
  const families = metrics.filter((metric) => metric.endsWith("/*")).map((family) => family.slice(0, -1));
  const { rows } = await client.query<KnownSeries>(
    `SELECT id, metric, unit, labels FROM series
     WHERE run_id = $1 AND (metric = ANY($2) OR EXISTS (SELECT FROM unnest($3::text[]) AS family WHERE starts_with(metric, family)))
     ORDER BY metric, id LIMIT $4`,
    [runId, metrics, families, limit],
  );
  return rows;
}

/** What is known of a run's samples without looking at one series; null for an unknown run. */
export async function readRunFacts(client: pg.ClientBase, runId: number): Promise<RunFacts | null> {
  const { rows } = await client.query<{ tokensPerStep: number | null }>(
    'SELECT tokens_per_step AS "tokensPerStep" FROM run WHERE id = $1',
    [runId],
  );
  const [found] = rows;
  return found === undefined ? null : { tokensPerStep: found.tokensPerStep, attempts: await readAttempts(client, runId) };
}

/**
 * Of each attempt the series with most points, of those that have a time or of those of one metric. The indexes expected are the primary
 * key of `samples.head` and (run_id, metric, labels_key) of `series`.
 */
export async function readLongest(
  client: pg.ClientBase,
  runId: number,
  of: { readonly metric: string } | "timed",
): Promise<readonly LongestHead[]> {
  const { rows } = await client.query<LongestHead>(
    `SELECT DISTINCT ON (attempt_id) series_id AS "seriesId", attempt_id AS "attemptId", first_step AS "firstStep", last_step AS "lastStep"
     FROM samples.head WHERE group_id = $1
       AND CASE WHEN $2::text IS NULL THEN first_time_ms IS NOT NULL ELSE series_id IN (SELECT id FROM series WHERE run_id = $1 AND metric = $2) END
     ORDER BY attempt_id, points DESC, series_id`,
    [runId, of === "timed" ? null : of.metric],
  );
  return rows;
}
