import type { Attempt, LineageCorrection, PushAnswer } from "@trainwatch/core";
import type { FoundSeries, LockedRun } from "@trainwatch/store";
import { applyCorrections } from "./apply-corrections.ts";
import { newestLoss } from "./last-loss.ts";
import type { PlacedColumn } from "./place-points.ts";
import { writerSeries } from "./writer-series.ts";

export interface PointsToStore {
  readonly base: readonly FoundSeries[];
  readonly attempts: readonly Attempt[];
  readonly placed: readonly PlacedColumn[];
  readonly corrections: readonly LineageCorrection[];
  /** Number of this push within the run. */
  readonly arrival: number;
}

export interface StoredPoints {
  readonly accepted: number;
  readonly repeated: number;
  readonly flagged: PushAnswer["flagged"];
  /** Series made for second writers, less those that have become empty. */
  readonly madeSeries: number;
  readonly newestSampleMs: number | null;
  /** The run's newest loss, null where this push did not bring it. */
  readonly newestLoss: number | null;
}

/** Writes attempts, moves what turned out to lie elsewhere, and stores the points. */
export async function storePoints(run: LockedRun, { base, attempts, placed, corrections, arrival }: PointsToStore): Promise<StoredPoints> {
  const idsBefore = corrections.length > 0 ? await run.attemptIds() : new Map<string, number>();
  const ids = attempts.length > 0 ? await run.attempts(attempts, timesOf(placed)) : new Map<string, number>();
  const writers = writerSeries(run);
  await applyCorrections(run, corrections, { before: idsBefore, now: ids, newest: attempts.at(-1)?.name }, writers);
  const arrivals = new Float64Array(placed.reduce((most, { column }) => Math.max(most, column.step.length), 0)).fill(arrival);
  const batches = [];
  for (const each of placed) {
    const attemptId = ids.get(each.attempt);
    if (attemptId === undefined) throw new Error(`attempt ${each.attempt} of run ${run.id} has no row`);
    const seriesId = await writers.id(base[each.column.series]?.id ?? 0, each.writer);
    batches.push({ seriesId, attemptId, far: each.far, points: pointsOf(each, arrivals) });
  }
  const outcome = await run.append(batches);
  let newestSampleMs: number | null = null;
  for (const { points, far } of outcome.batches)
    for (const time of far ? [] : points.timeMs) if (time > (newestSampleMs ?? -Infinity)) newestSampleMs = time;
  return {
    accepted: outcome.stored,
    repeated: outcome.repeated,
    flagged: remarks(placed, batches, outcome.seconds),
    madeSeries: await writers.settle(),
    newestSampleMs,
    newestLoss: await newestLoss(run, base, ids.get(attempts.at(-1)?.name ?? ""), outcome.batches),
  };
}

/** @param arrivals the number of the push for as many points as its longest column has */
function pointsOf({ column, members }: PlacedColumn, arrivals: Float64Array) {
  const count = members === "all" ? column.places.length : members.length;
  const arrival = arrivals.subarray(0, count);
  // All of a column in one place is the rule, and needs no copy.
  if (members === "all" || count === column.places.length)
    return { count, step: column.step, timeMs: column.timeMs, value: column.value, arrival };
  const pick = (from: Float64Array): Float64Array => Float64Array.from(members, (at) => from[at] ?? 0);
  return { count, step: pick(column.step), timeMs: pick(column.timeMs), value: pick(column.value), arrival };
}

/** First and last time of the points of each attempt. */
function timesOf(placed: readonly PlacedColumn[]): ReadonlyMap<string, { readonly first: number; readonly last: number }> {
  const times = new Map<string, { first: number; last: number }>();
  for (const { column, attempt, members, far } of placed) {
    if (far) continue;
    const known = times.get(attempt) ?? { first: Infinity, last: -Infinity };
    for (const time of members === "all" ? column.timeMs : members.map((at) => column.timeMs[at] ?? Number.NaN)) {
      if (time < known.first) known.first = time;
      if (time > known.last) known.last = time;
    }
    if (known.first <= known.last) times.set(attempt, known);
  }
  return times;
}

interface Second {
  readonly seriesId: number;
  readonly attemptId: number;
  readonly step: number;
}

/** What was stored with a remark, told once a column: far steps one by one, second values by their first. */
function remarks(
  placed: readonly PlacedColumn[],
  batches: readonly { readonly seriesId: number; readonly attemptId: number }[],
  seconds: readonly Second[],
): PushAnswer["flagged"] {
  const flagged: PushAnswer["flagged"] = [];
  placed.forEach(({ column, far, members }, index) => {
    const tell = (at: number, code: string, message: string): void => {
      flagged.push({ series: column.series, index: column.places[at] ?? 0, code, message });
    };
    const places = (): readonly number[] => (members === "all" ? [...column.places.keys()] : members);
    if (far)
      for (const at of places().slice(0, 100))
        tell(
          at,
          "far-step",
          `Step ${column.step[at] ?? 0} is far beyond what came before. It is kept, and left out of charts and of the run's last step until more follow.`,
        );
    const here = seconds.filter((second) => second.seriesId === batches[index]?.seriesId && second.attemptId === batches[index]?.attemptId);
    const first = here[0];
    if (first === undefined) return;
    const at = places().find((member) => column.step[member] === first.step);
    if (at !== undefined)
      tell(
        at,
        "second-value",
        `Step ${first.step} had another value${here.length > 1 ? `, and ${here.length - 1} more entries likewise` : ""}. All are kept.`,
      );
  });
  return flagged;
}
