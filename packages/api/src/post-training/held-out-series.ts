import { heldOutDirection } from "@trainwatch/detect";
import type { Store } from "@trainwatch/store";

/** A held-out score over the steps of one attempt, or over the effective view. */
export interface HeldOutPoints {
  readonly source: "log" | "scorecards";
  readonly metric: string;
  /** Held-out scores of which this one was chosen. */
  readonly scores: number;
  readonly higherIsBetter: boolean;
  readonly prompts: number | null;
  /** In ascending steps; errors only where they are known. */
  readonly points: readonly { readonly step: number; readonly value: number; readonly low: number | null; readonly high: number | null }[];
}

/** A held-out evaluation is a point or two in a thousand steps; one that is logged more often is shown in so many bins. */
const BUCKETS = 512;
/** Held-out metrics that are read, those with the most points: replaced steps count as points, so the one with the most may not be that with the most evaluations. */
const MOST_METRICS = 16;

export interface HeldOutQuestion {
  readonly runId: number;
  readonly attempts: "effective" | readonly string[];
  /** Metrics of the run with their points, most points first. */
  readonly logged: ReadonlyMap<string, number>;
  /** Metrics that were found to have turned: the first of them that has values is shown. */
  readonly turned: readonly string[];
}

/** The log's own evaluations, of several metrics the one that has turned, else the one with the most points. Null: there are none. */
export async function heldOutLog({ samples }: Store, { runId, attempts, logged, turned }: HeldOutQuestion): Promise<HeldOutPoints | null> {
  const scores = [...logged.keys()].filter((metric) => heldOutDirection(metric) !== null);
  const metrics = [...new Set([...turned.filter((metric) => scores.includes(metric)), ...scores])].slice(0, MOST_METRICS);
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
  const found = metrics
    .map((metric) => ({ metric, points: pointsOf(window.lines.filter((line) => line.metric === metric && !line.superseded)) }))
    .filter(({ points }) => points.length > 0);
  const best =
    turned.map((turnedOne) => found.find(({ metric }) => metric === turnedOne)).find((each) => each !== undefined) ??
    found.toSorted((a, b) => b.points.length - a.points.length)[0];
  if (best === undefined) return null;
  return { source: "log", scores: scores.length, prompts: null, higherIsBetter: heldOutDirection(best.metric) === "higher", ...best };
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
