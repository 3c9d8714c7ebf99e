import { describeMeasure, effectiveLine } from "@trainwatch/core";
import { wilsonInterval } from "@trainwatch/stats";
import type { AttemptReach, Records, StoredAttempt, TrendPoint } from "@trainwatch/store";
import type { HeldOutPoints } from "./held-out-series.ts";

/** Checkpoints that are looked through for the attempts that saved them. */
const MOST_CHECKPOINTS = 2_000;
const PAGE = 200;
const Z = 1.96;

interface Row {
  readonly metric: string;
  readonly higherIsBetter: boolean;
  readonly isShare: boolean;
  /** Capability before others. */
  readonly rank: number;
  readonly points: TrendPoint[];
}

/** What weights are asked for: the line of an attempt, or of today's. */
export interface AskedWeights {
  readonly runId: number;
  readonly attempts: readonly StoredAttempt[];
  readonly line: readonly AttemptReach[];
}

/** Of all rows of results of those weights the one with the most checkpoints, then with the most samples; capability before others. Null: there are none. */
export async function heldOutScorecards(records: Records, asked: AskedWeights): Promise<HeldOutPoints | null> {
  const isAsked = await askedScorecards(records, asked);
  const rows = new Map<string, Row>();
  for (const point of await records.scorecards.trendPoints(asked.runId)) {
    const row = isAsked(point) ? rowOf(point) : null;
    if (row === null) continue;
    const { points } = rows.get(row.metric) ?? row;
    if (points.at(-1)?.step !== point.step) points.push(point);
    rows.set(row.metric, { ...row, points });
  }
  const [best] = [...rows.values()].toSorted(
    (a, b) => b.points.length - a.points.length || a.rank - b.rank || (b.points[0]?.n ?? 0) - (a.points[0]?.n ?? 0),
  );
  if (best === undefined) return null;
  const counts = new Set(best.points.map(({ n }) => n));
  const [prompts] = counts;
  return {
    source: "scorecards",
    metric: best.metric,
    scores: rows.size,
    higherIsBetter: best.higherIsBetter,
    prompts: counts.size === 1 ? (prompts ?? null) : null,
    points: best.points.map((point) => ({ step: point.step, value: point.value ?? Number.NaN, ...intervalOf(point, best.isShare) })),
  };
}

/**
 * Whether a result is of the weights asked for: its checkpoint was saved by an attempt of the line, no later than the line follows that one. Where no checkpoint is known of a
 * step it is one of today's way.
 */
async function askedScorecards(records: Records, { runId, attempts, line }: AskedWeights): Promise<(point: TrendPoint) => boolean> {
  const reach = new Map(line.map(({ attempt, throughStep }) => [attempt, throughStep]));
  const today = [...effectiveLine(attempts)].toSorted(([, a], [, b]) => a - b);
  const savedBy = await checkpointAttempts(records, runId);
  const ids = await records.scorecards.ofRun(runId, MOST_CHECKPOINTS);
  const attemptOf = new Map(
    (await records.scorecards.known(ids)).map(({ scorecardId, checkpointId }) => [scorecardId, savedBy.get(checkpointId ?? 0)]),
  );
  return ({ scorecardId, step }) => {
    const attempt = attemptOf.get(scorecardId) ?? today.find(([, throughStep]) => step <= throughStep)?.[0];
    // A run of which no attempt has logged a step has one way only.
    return attempt === undefined ? today.length === 0 : step <= (reach.get(attempt) ?? Number.NEGATIVE_INFINITY);
  };
}

async function checkpointAttempts({ checkpoints }: Records, runId: number): Promise<ReadonlyMap<number, string>> {
  const savedBy = new Map<number, string>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof checkpoints.list>> = await checkpoints.list({ runId, query: "", limit: PAGE, cursor });
    for (const { checkpointId, checkpoint } of page.items) savedBy.set(checkpointId, checkpoint.attempt);
    cursor = page.next;
  } while (cursor !== null && savedBy.size < MOST_CHECKPOINTS);
  return savedBy;
}

/** Null for what is no score of the answers. */
function rowOf({ value, task, metric, filter, unit, dimension, higherIsBetter }: TrendPoint): Row | null {
  const measure = describeMeasure({ task, metric, filter, unit, dimension: null, higherIsBetter });
  const isCost = measure.dimension === "cost" || dimension === "cost";
  if (value === null || !Number.isFinite(value) || measure.better === "none" || isCost) return null;
  return {
    metric: `eval/${task}/${metric}${filter === null ? "" : `/${filter}`}`,
    higherIsBetter: measure.better === "higher",
    isShare: measure.range === "share",
    rank: measure.dimension === "capability" ? 0 : 1,
    points: [],
  };
}

function intervalOf({ value, stderr, n }: TrendPoint, isShare: boolean): { readonly low: number | null; readonly high: number | null } {
  if (value === null) return { low: null, high: null };
  if (stderr !== null) return { low: value - Z * stderr, high: value + Z * stderr };
  return n === null || n === 0 || !isShare ? { low: null, high: null } : wilsonInterval(value * n, n);
}
