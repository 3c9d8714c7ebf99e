import type { Attempt, PushAnswer } from "@trainwatch/core";
import type { Store } from "../open-store.ts";
import type { Points } from "./points.ts";

/** Points of one series in one attempt, as a test writes them. */
export interface WrittenSeries {
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly attempt?: string;
  readonly far?: boolean;
  /** [step, value] or [step, value, epoch ms]. */
  readonly points: readonly (readonly [step: number, value: number, timeMs?: number])[];
}

export const FIRST_ATTEMPT: Attempt = {
  name: "a1",
  parent: null,
  branchStep: null,
  firstStep: null,
  lastStep: null,
  origin: "first",
  question: null,
};

/** Writes one push straight into the store, past parsing and lineage. Attempts get their steps from what is written. */
export async function writePush(
  store: Store,
  series: readonly WrittenSeries[],
  attempts: readonly Attempt[] = [FIRST_ATTEMPT],
  name = "run",
): Promise<{ runId: number; stored: number; repeated: number }> {
  return store.ingest.transaction(async (tx) => {
    const run = await tx.openRun({ project: "test", name }, 0);
    const { found, made } = await run.series(series.map(({ metric, labels = {} }) => ({ metric, labels, unit: null })));
    const ids = await run.attempts(
      attempts.map((attempt) => withSteps(attempt, series)),
      new Map(),
    );
    const outcome = await run.append(
      series.map(({ attempt = "a1", far = false, points }, index) => ({
        seriesId: found[index]?.id ?? 0,
        attemptId: ids.get(attempt) ?? 0,
        far,
        points: columnsOf(points, run.arrivals + 1),
      })),
    );
    const answer: PushAnswer = {
      accepted: outcome.stored,
      repeated: outcome.repeated,
      missing: 0,
      refused: [],
      refusedTotal: 0,
      flagged: [],
      attempt: "a1",
      runId: run.id,
    };
    await tx.finish(
      { source: name, seq: run.arrivals, runId: run.id, bodyHash: "", answer, nowMs: 0 },
      {
        ...{
          nowMs: 0,
          arrivals: run.arrivals + 1,
          attempt: "a1",
          lastStep: null,
          lastLoss: undefined,
          newestSampleMs: null,
          newSeries: made,
          newPoints: outcome.stored,
        },
        ...{ isHeard: true, stepIsConstant: false, zoneAssumed: false, relabelled: false, metadata: {}, state: null },
      },
    );
    return { runId: run.id, stored: outcome.stored, repeated: outcome.repeated };
  });
}

/** First and last step so far are those of the attempt itself where it names them, widened by what is written now. */
function withSteps(attempt: Attempt, series: readonly WrittenSeries[]): Attempt {
  const steps = series
    .filter((each) => (each.attempt ?? "a1") === attempt.name && each.far !== true)
    .flatMap((each) => each.points.map(([step]) => step));
  const all = [...steps, ...[attempt.firstStep, attempt.lastStep].filter((step) => step !== null)];
  if (all.length === 0) return attempt;
  const [firstStep, lastStep] = all.reduce(([lo, hi], step) => [Math.min(lo, step), Math.max(hi, step)], [Infinity, -Infinity] as [
    number,
    number,
  ]);
  return { ...attempt, firstStep, lastStep };
}

export function columnsOf(points: WrittenSeries["points"], arrival: number): Points {
  return {
    count: points.length,
    step: Float64Array.from(points, ([step]) => step),
    value: Float64Array.from(points, ([, value]) => value),
    timeMs: Float64Array.from(points, ([, , timeMs]) => timeMs ?? Number.NaN),
    arrival: new Float64Array(points.length).fill(arrival),
  };
}

/** Steps `from` to `to` with a value each. */
export function ramp(
  from: number,
  to: number,
  value: (step: number) => number,
  timeMs?: (step: number) => number,
): [number, number, number?][] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    timeMs === undefined ? [from + index, value(from + index)] : [from + index, value(from + index), timeMs(from + index)],
  );
}
