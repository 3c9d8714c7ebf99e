import { fromJsonNumber, toJsonNumber, type JsonNumber, type Sample } from "@trainwatch/core";
import { createLabelSet, type LabelSet, type StoredLabelSet } from "./label-set.ts";

/** A sample with the rank that logged it; null where the series stands for the whole run. */
export interface RankSample extends Sample {
  readonly rank: string | null;
}

interface OpenStep<Sum> {
  readonly step: number;
  timeMs: number | null;
  sum: Sum;
  count: number;
}

interface Shared<Sum> {
  /** A series without a rank has spoken: it is the mean already, and ranks are not heard any more. */
  plain: boolean;
  /** A step has been completed since: so many ranks are all there are. */
  settled: boolean;
  lastStep: number | null;
  /** Ranks that a step waits for: all known, but for those that have long been missing. */
  awaited: number;
  /** Steps in a row that went out without some of these. */
  short: number;
  open: OpenStep<Sum>[];
}

interface MetricState extends Shared<number> {
  readonly ranks: LabelSet;
}

/** By metric. JSON-safe: sums are as JSON can carry them. */
export type RankState = Readonly<Record<string, Shared<JsonNumber> & { readonly ranks: StoredLabelSet }>>;

/**
 * Ranks of one metric as one series: the mean over the ranks that report a step, as detectors want it (detection.md A.2). A rank that
 * is not finite makes the mean not finite. Ranks may push in one batch or each for itself: a step waits until all known ranks are there.
 * What comes out depends on arrival order alone, not on batches.
 */
export interface RankMean {
  observe(samples: readonly RankSample[]): readonly Sample[];
  /** What still waits, as if no further rank came. */
  open(): readonly Sample[];
  state(): RankState;
}

/** Steps that wait for slow ranks; one more lets the oldest go with the ranks it has. After so many in a row nobody waits for who is missing until it speaks again. */
const OPEN_STEPS = 64;

export function createRankMean(stored: RankState): RankMean {
  const metrics = new Map(
    Object.entries(stored).map(([metric, held]): [string, MetricState] => [
      metric,
      { ...held, ranks: createLabelSet(held.ranks), open: held.open.map((step) => ({ ...step, sum: fromJsonNumber(step.sum) ?? 0 })) },
    ]),
  );
  const metricOf = (metric: string): MetricState => {
    const held = metrics.get(metric);
    if (held !== undefined) return held;
    const fresh: MetricState = {
      plain: false,
      ranks: createLabelSet(null),
      settled: false,
      lastStep: null,
      awaited: 0,
      short: 0,
      open: [],
    };
    metrics.set(metric, fresh);
    return fresh;
  };
  return {
    observe(samples) {
      const out: Sample[] = [];
      for (const sample of samples) {
        const { metric, rank, step, timeMs, value } = sample;
        const held = metricOf(metric);
        if (rank === null) {
          held.plain = true;
          held.open = [];
          out.push({ metric, step, timeMs, value });
        } else if (!held.plain) {
          add(held, rank, sample, out);
        }
      }
      return out;
    },
    open: () => [...metrics].flatMap(([metric, { open }]) => open.map((step) => meanOf(metric, step))),
    state: () => Object.fromEntries([...metrics].map(([metric, held]) => [metric, packed(held)])),
  };
}

function packed({ ranks, open, ...rest }: MetricState): RankState[string] {
  return { ...rest, ranks: ranks.pack(), open: open.map((step) => ({ ...step, sum: toJsonNumber(step.sum) })) };
}

function add(held: MetricState, rank: string, { metric, step, timeMs, value }: RankSample, out: Sample[]): void {
  const before = held.ranks.size();
  held.ranks.add(rank);
  const isLate = held.lastStep !== null && step <= held.lastStep;
  // A rank that is new, or that was not waited for.
  if (held.ranks.size() > before || isLate) held.awaited = Math.min(held.ranks.size(), held.awaited + 1);
  if (isLate) {
    // Its step has been told already; that a late rank is not finite is news all the same.
    if (!Number.isFinite(value)) out.push({ metric, step, timeMs, value });
    return;
  }
  const open = held.open.find((candidate) => candidate.step === step);
  if (open === undefined) held.open.push({ step, timeMs, sum: value, count: 1 });
  else {
    open.sum += value;
    open.count++;
    if (timeMs !== null && (open.timeMs === null || timeMs > open.timeMs)) open.timeMs = timeMs;
  }
  release(held, metric, out);
}

/** Lets complete steps go, oldest first. Of the first step nobody knows how many ranks there are until the next has begun. */
function release(held: MetricState, metric: string, out: Sample[]): void {
  for (let [oldest, next] = held.open; oldest !== undefined; [oldest, next] = held.open) {
    const isComplete = oldest.count >= held.awaited && (held.settled || next !== undefined);
    if (!isComplete && held.open.length <= OPEN_STEPS) return;
    held.open.shift();
    held.settled = true;
    held.short = isComplete ? 0 : held.short + 1;
    if (held.short >= OPEN_STEPS) Object.assign(held, { awaited: oldest.count, short: 0 });
    held.lastStep = oldest.step;
    out.push(meanOf(metric, oldest));
  }
}

function meanOf(metric: string, { step, timeMs, sum, count }: OpenStep<number>): Sample {
  return { metric, step, timeMs, value: sum / count };
}
