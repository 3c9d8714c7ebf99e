import type { ScorecardPage, ScorecardSummary } from "@trainwatch/core";
import type { Ask } from "../evaluations/ask.ts";
import type { StoredResult, StoredScorecard } from "../evaluations/contract.ts";
import { readResults } from "../evaluations/read-results.ts";
import { readScorecards } from "../evaluations/read-scorecards.ts";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";
import { escapeLike } from "./run-list.ts";

export interface ScorecardQuestion {
  /** Null: of any run and of none. */
  readonly runId: number | null;
  /** Part of the model, the run or the path, in any case; empty for all. */
  readonly query: string;
  readonly limit: number;
  readonly cursor: string | null;
}

/** A result in force of a checkpoint of a run. */
export interface TrendPoint extends StoredResult {
  readonly step: number;
}

export interface ScorecardRecords {
  /** Newest first. */
  list(question: ScorecardQuestion): Promise<ScorecardPage>;
  /** In the order of `ids`; those that are gone are left out. */
  known(ids: readonly number[]): Promise<readonly StoredScorecard[]>;
  /** In the order of `ids`; those that are gone are left out. */
  summaries(ids: readonly number[]): Promise<readonly ScorecardSummary[]>;
  /** Of each row the newest result, by task, metric and filter. */
  results(ids: readonly number[]): Promise<readonly StoredResult[]>;
  /** Scorecards of a run whose step is known, also by a checkpoint that a person has attached: those of the `limit` highest steps, highest first. */
  ofRun(runId: number, limit: number): Promise<readonly number[]>;
  /** Results in force of those scorecards, by step; of the `limit` newest steps where there are more. */
  trendPoints(runId: number, limit?: number): Promise<readonly TrendPoint[]>;
  /** Scorecards that speak of these checkpoints: of their run and step, or attached by a person; newest first, by checkpoint. */
  ofCheckpoints(checkpointIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** False where the scorecard is gone. */
  attach(id: number, checkpointId: number): Promise<boolean>;
  /** A word that changes with every result and complete set of samples of these scorecards, and how many results in force and samples they have. */
  version(ids: readonly number[]): Promise<{ readonly word: string; readonly results: number; readonly samples: number }>;
}

/** Scorecards of a run that a trend is made of; a run with more checkpoints under evaluation shows the newest. */
const MOST_TREND_SCORECARDS = 1_000;

export function createScorecardRecords(db: Db): ScorecardRecords {
  const ask: Ask = (sql, values) => db.$queryRawUnsafe(sql, ...values);
  const summaries = async (ids: readonly number[]): Promise<readonly ScorecardSummary[]> => {
    if (ids.length === 0) return [];
    const cards = await readScorecards(ask, ids);
    const counts = await countsOf(db, ids);
    return cards.map(({ checkpointState: _state, ownRunId: _ownRunId, ...card }) => ({
      ...card,
      ...(counts.get(card.scorecardId) ?? NOTHING),
    }));
  };
  return {
    list: (question) => listScorecards(db, question, summaries),
    known: (ids) => readScorecards(ask, ids),
    summaries,
    results: (ids) => readResults(ask, ids),
    async ofRun(runId, limit) {
      return (await steppedScorecards(db, runId, limit)).map(({ id }) => id);
    },
    async trendPoints(runId, limit = MOST_TREND_SCORECARDS) {
      const cards = await steppedScorecards(db, runId, limit);
      const steps = new Map(cards.map(({ id, step }) => [id, step]));
      const results = await readResults(ask, [...steps.keys()]);
      return results
        .map((result) => ({ ...result, step: steps.get(result.scorecardId) ?? 0 }))
        .toSorted((a, b) => a.step - b.step || a.resultId - b.resultId);
    },
    async ofCheckpoints(checkpointIds) {
      const candidates = await db.$queryRaw<{ id: number }[]>`
        SELECT s.id FROM scorecard s WHERE s.checkpoint_id = ANY(${[...checkpointIds]}::int[])
        UNION SELECT s.id FROM scorecard s JOIN checkpoint c ON c.run_id = s.run_id AND c.step = s.step WHERE c.id = ANY(${[...checkpointIds]}::int[]) AND s.checkpoint_id IS NULL
        ORDER BY 1 DESC`;
      const cards = await readScorecards(
        ask,
        candidates.map(({ id }) => id),
      );
      const found = new Map<number, number[]>();
      for (const { checkpointId, scorecardId } of cards)
        if (checkpointId !== null) found.set(checkpointId, [...(found.get(checkpointId) ?? []), scorecardId]);
      return found;
    },
    async attach(id, checkpointId) {
      return (await db.scorecard.updateMany({ where: { id }, data: { checkpointId } })).count === 1;
    },
    async version(ids) {
      const [row] = await db.$queryRaw<{ word: string; results: number; samples: number }[]>`
        SELECT (SELECT count(DISTINCT (r.scorecard_id, r.task, r.metric, r.filter)) FROM eval_result r WHERE r.scorecard_id = ANY(${[...ids]}::int[]))::int AS results,
          (SELECT coalesce(sum(s.count), 0) FROM eval_set s WHERE s.scorecard_id = ANY(${[...ids]}::int[]) OR s.opponent_id = ANY(${[...ids]}::int[]))::float8 AS samples, concat_ws('.', (SELECT concat_ws(':', count(*), max(r.id)) FROM eval_result r WHERE r.scorecard_id = ANY(${[...ids]}::int[])),
          (SELECT concat_ws(':', count(*), max(s.id), sum(s.count)) FROM eval_set s JOIN eval_file f ON f.id = s.file_id
            WHERE f.complete AND (s.scorecard_id = ANY(${[...ids]}::int[]) OR s.opponent_id = ANY(${[...ids]}::int[])))) AS word`;
      return row ?? { word: "", results: 0, samples: 0 };
    },
  };
}

async function steppedScorecards(db: Db, runId: number, limit: number): Promise<readonly { readonly id: number; readonly step: number }[]> {
  return db.$queryRaw<{ id: number; step: number }[]>`
    SELECT s.id, coalesce(s.step, c.step) AS step FROM scorecard s LEFT JOIN checkpoint c ON c.id = s.checkpoint_id
    WHERE (s.run_id = ${runId} OR c.run_id = ${runId}) AND coalesce(s.step, c.step) IS NOT NULL ORDER BY 2 DESC, 1 DESC LIMIT ${limit}`;
}

type Counts = Pick<ScorecardSummary, "results" | "samples" | "newestResultAtMs">;
const NOTHING: Counts = { results: 0, samples: 0, newestResultAtMs: null };

/** Rows with a result, samples of complete files (of one task and filter those of the newest), and when the newest result was evaluated, else imported. */
async function countsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Counts>> {
  const rows = await db.$queryRaw<(Counts & { readonly id: number })[]>`
    SELECT asked.id, coalesce(r.results, 0)::int AS results, r.newest AS "newestResultAtMs",
      (SELECT coalesce(sum(count), 0) FROM (SELECT DISTINCT ON (s.task, s.filter) s.count FROM eval_set s JOIN eval_file f ON f.id = s.file_id
        WHERE s.scorecard_id = asked.id AND s.kind = 'sample' AND f.complete ORDER BY s.task, s.filter, s.file_id DESC) newest)::int AS samples
    FROM unnest(${[...ids]}::int[]) AS asked (id) LEFT JOIN (
      SELECT scorecard_id, count(DISTINCT (task, metric, filter)) AS results, max(order_ms) AS newest FROM eval_result
      WHERE scorecard_id = ANY(${[...ids]}::int[]) GROUP BY scorecard_id) r ON r.scorecard_id = asked.id`;
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

async function listScorecards(
  db: Db,
  { runId, query, limit, cursor }: ScorecardQuestion,
  summaries: (ids: readonly number[]) => Promise<readonly ScorecardSummary[]>,
): Promise<ScorecardPage> {
  const like = `%${escapeLike(query)}%`;
  const where = Prisma.join(
    [
      runId === null ? Prisma.sql`true` : Prisma.sql`r.id = ${runId}`,
      query === ""
        ? Prisma.sql`true`
        : Prisma.sql`(s.model ILIKE ${like} OR r.project || '/' || r.name ILIKE ${like} OR coalesce(s.path, '') ILIKE ${like})`,
    ],
    " AND ",
  );
  const from = Prisma.sql`FROM scorecard s LEFT JOIN checkpoint c ON c.id = s.checkpoint_id LEFT JOIN run r ON r.id = coalesce(s.run_id, c.run_id) WHERE ${where}`;
  const after = cursor === null ? Prisma.sql`true` : Prisma.sql`s.id < ${Number(decodeCursor(cursor, 1)[0])}::int`;
  const rows = await db.$queryRaw<{ id: number }[]>`SELECT s.id ${from} AND ${after} ORDER BY s.id DESC LIMIT ${limit + 1}`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${from}`;
  const page = rows.slice(0, limit).map(({ id }) => id);
  const last = page.at(-1);
  return {
    items: await summaries(page),
    total: counted?.total ?? 0,
    next: rows.length > limit && last !== undefined ? encodeCursor([last]) : null,
  };
}
