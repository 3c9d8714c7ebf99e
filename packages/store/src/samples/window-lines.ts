import type pg from "pg";

/** Series that a window draws as one line: those of a metric that differ in their rank only, or a single one. What the run logs without a rank is no rank's, and a line of its own. */
export interface WindowLine {
  readonly metric: string;
  readonly unit: string | null;
  /** Shared by all series of the line, names in order. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of ranks. */
  readonly ranked: boolean;
  readonly seriesIds: readonly number[];
}

/** All series of one line in one attempt, put together. Steps and times leave far points out. */
export interface LineHead {
  /** Index of the line. */
  readonly line: number;
  readonly attemptId: number;
  readonly points: number;
  readonly farPoints: number;
  /** Points without a time. */
  readonly untimedPoints: number;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly firstTimeMs: number | null;
  readonly lastTimeMs: number | null;
  /** Steps a millisecond of the slowest of the series; null where none has a stretch of time. */
  readonly slowestRate: number | null;
}

export interface LinesQuestion {
  readonly runId: number;
  readonly metrics: readonly string[];
  /** Only these ranks, each as a line of its own; null merges all ranks. */
  readonly ranks: readonly string[] | null;
}

/**
 * The lines of some metrics, in the order of metric and of their first series. A line of a hundred thousand ranks is one row.
 * At most `maxSeries` series are looked at. The index expected is (run_id, metric, labels_key) of `series`.
 */
export async function readLines(
  client: pg.ClientBase,
  { runId, metrics, ranks }: LinesQuestion,
  maxSeries: number,
): Promise<readonly WindowLine[]> {
  const { rows } = await client.query<WindowLine>(
    `SELECT metric, (array_agg(unit ORDER BY id) FILTER (WHERE unit IS NOT NULL))[1] AS unit, shared AS labels, ranked, array_agg(id ORDER BY id) AS "seriesIds"
     FROM (SELECT id, metric, unit, CASE WHEN $3::text[] IS NULL THEN labels - 'rank' ELSE labels END AS shared, labels ? 'rank' AS ranked FROM series
       WHERE run_id = $1 AND metric = ANY($2) AND ($3::text[] IS NULL OR labels ->> 'rank' = ANY($3)) LIMIT $4) AS known
     GROUP BY metric, shared, ranked ORDER BY metric, min(id)`,
    [runId, metrics, ranks, maxSeries],
  );
  return rows.map((row) => ({ ...row, labels: inOrder(row.labels) }));
}

function inOrder(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The index expected is the primary key of `samples.head`. */
export async function readLineHeads(client: pg.ClientBase, runId: number, lines: readonly WindowLine[]): Promise<readonly LineHead[]> {
  const { rows } = await client.query<LineHead>(
    `SELECT line, attempt_id AS "attemptId", sum(points) AS points, sum(far_points) AS "farPoints", sum(untimed_points) AS "untimedPoints",
       min(first_step) AS "firstStep", max(last_step) AS "lastStep", min(first_time_ms) AS "firstTimeMs", max(last_time_ms) AS "lastTimeMs",
       min((last_step - first_step) / (last_time_ms - first_time_ms)) FILTER (WHERE last_time_ms > first_time_ms) AS "slowestRate"
     FROM unnest($2::int[], $3::int[]) AS member (series_id, line) JOIN samples.head USING (series_id) WHERE group_id = $1
     GROUP BY line, attempt_id ORDER BY line, attempt_id`,
    [runId, lines.flatMap(({ seriesIds }) => seriesIds), lines.flatMap(({ seriesIds }, line) => seriesIds.map(() => line))],
  );
  return rows;
}
