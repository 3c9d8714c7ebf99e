import { describeMeasure } from "@trainwatch/core";
import { heldOutDirection } from "@trainwatch/detect";
import { wilsonInterval } from "@trainwatch/stats";
import type { Store } from "@trainwatch/store";

/** A held-out score over the steps of one attempt, or over the effective view. */
export interface HeldOutPoints {
  readonly source: "log" | "scorecards";
  readonly metric: string;
  readonly higherIsBetter: boolean;
  readonly prompts: number | null;
  /** In ascending steps; errors only where they are known. */
  readonly points: readonly { readonly step: number; readonly value: number; readonly low: number | null; readonly high: number | null }[];
}

/** A held-out evaluation is a point or two in a thousand steps; one that is logged more often is shown in so many bins. */
const BUCKETS = 512;
/** Held-out metrics of which the one with the most evaluations is shown. */
const MOST_METRICS = 16;

export type HeldOutQuestion = { readonly runId: number; readonly attempts: "effective" | readonly string[] };

/** The log's own evaluations, of several metrics the one with the most points; else the results of the run's checkpoints. Null: there are none. */
export async function heldOutSeries(store: Store, question: HeldOutQuestion, logged: ReadonlySet<string>): Promise<HeldOutPoints | null> {
  return (await fromLog(store, question, logged)) ?? (await fromScorecards(store, question.runId));
}

async function fromLog(
  { samples }: Store,
  { runId, attempts }: HeldOutQuestion,
  logged: ReadonlySet<string>,
): Promise<HeldOutPoints | null> {
  const metrics = [...logged].filter((metric) => heldOutDirection(metric) !== null).slice(0, MOST_METRICS);
  if (metrics.length === 0) return null;
  const window = await samples.window({
    runId,
    metrics,
    axis: "step",
    from: null,
    to: null,
    buckets: BUCKETS,
    attempts: attempts === "effective" ? attempts : [...attempts],
  });
  const found = metrics.map((metric) => ({
    metric,
    points: pointsOf(window.lines.filter((line) => line.metric === metric && !line.superseded)),
  }));
  const [best] = found.toSorted((a, b) => b.points.length - a.points.length);
  if (best === undefined || best.points.length === 0) return null;
  return { source: "log", prompts: null, higherIsBetter: heldOutDirection(best.metric) === "higher", ...best };
}

function pointsOf(
  lines: readonly { readonly stepLast: readonly number[]; readonly mean: readonly (number | null)[] }[],
): HeldOutPoints["points"] {
  return lines
    .flatMap(({ stepLast, mean }) =>
      mean.flatMap((value, index) => (value === null ? [] : [{ step: stepLast[index] ?? 0, value, low: null, high: null }])),
    )
    .toSorted((a, b) => a.step - b.step);
}

/** Of all rows the one with the most checkpoints, then with the most samples; capability before others. */
async function fromScorecards({ records }: Store, runId: number): Promise<HeldOutPoints | null> {
  const rows = new Map<
    string,
    { readonly step: number; readonly value: number; readonly stderr: number | null; readonly n: number | null }[]
  >();
  const described = new Map<
    string,
    { readonly metric: string; readonly isHigher: boolean; readonly isShare: boolean; readonly rank: number }
  >();
  for (const { step, value, stderr, n, task, metric, filter, unit, dimension, higherIsBetter } of await records.scorecards.trendPoints(
    runId,
  )) {
    const measure = describeMeasure({ task, metric, filter, unit, dimension: null, higherIsBetter });
    if (value === null || !Number.isFinite(value) || measure.better === "none" || measure.dimension === "cost" || dimension === "cost")
      continue;
    const key = `eval/${task}/${metric}${filter === null ? "" : `/${filter}`}`;
    const points = rows.get(key) ?? [];
    if (points.at(-1)?.step !== step) points.push({ step, value, stderr, n });
    rows.set(key, points);
    described.set(key, {
      metric: key,
      isHigher: measure.better === "higher",
      isShare: measure.range === "share",
      rank: measure.dimension === "capability" ? 0 : 1,
    });
  }
  const [best] = [...rows].toSorted(
    ([a, left], [b, right]) =>
      right.length - left.length || (described.get(a)?.rank ?? 0) - (described.get(b)?.rank ?? 0) || (right[0]?.n ?? 0) - (left[0]?.n ?? 0),
  );
  const about = best === undefined ? undefined : described.get(best[0]);
  if (best === undefined || about === undefined) return null;
  const counts = new Set(best[1].map(({ n }) => n));
  const [prompts] = counts;
  return {
    source: "scorecards",
    metric: about.metric,
    higherIsBetter: about.isHigher,
    prompts: counts.size === 1 ? (prompts ?? null) : null,
    points: best[1].map(({ step, value, stderr, n }) => ({ step, value, ...intervalOf(value, stderr, n, about.isShare) })),
  };
}

const Z = 1.96;

function intervalOf(
  value: number,
  stderr: number | null,
  n: number | null,
  isShare: boolean,
): { readonly low: number | null; readonly high: number | null } {
  if (stderr !== null) return { low: value - Z * stderr, high: value + Z * stderr };
  return n === null || n === 0 || !isShare ? { low: null, high: null } : wilsonInterval(value * n, n);
}
