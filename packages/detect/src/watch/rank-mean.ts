import { fromJsonNumber, toJsonNumber, type JsonNumber, type Sample } from "@trainwatch/core";

/** A sample with the rank that logged it; null where the series stands for the whole run. */
export interface RankSample extends Sample {
  readonly rank: string | null;
}

interface OpenStep {
  readonly step: number;
  timeMs: number | null;
  /** The sum so far, as JSON can carry it. */
  sum: JsonNumber;
  count: number;
}

interface MetricState {
  /** A series without a rank has spoken: it is the mean already, and ranks are not heard any more. */
  plain: boolean;
  readonly ranks: string[];
  /** A step has been completed since: so many ranks are all there are. */
  settled: boolean;
  lastStep: number | null;
  open: OpenStep[];
}

/** By metric. JSON-safe. */
export type RankState = Readonly<Record<string, MetricState>>;

/** Steps that wait for slow ranks; one more lets the oldest go with the ranks it has. */
const OPEN_STEPS = 64;

/**
 * Ranks of one metric as one series: the mean over the ranks that report a step, as detectors want it (detection.md A.2). A rank that
 * is not finite makes the mean not finite. Ranks may push in one batch or each for itself: a step waits until all known ranks are there.
 * Pure: what comes out depends on arrival order alone, not on batches.
 */
export function averageRanks(
  state: RankState,
  samples: readonly RankSample[],
): { readonly state: RankState; readonly samples: readonly Sample[] } {
  const metrics = new Map(Object.entries(state).map(([metric, held]) => [metric, copyOf(held)]));
  const out: Sample[] = [];
  for (const { metric, rank, step, timeMs, value } of samples) {
    const held = metrics.get(metric) ?? { plain: false, ranks: [], settled: false, lastStep: null, open: [] };
    metrics.set(metric, held);
    if (rank === null) {
      held.plain = true;
      held.open = [];
      out.push({ metric, step, timeMs, value });
    } else if (!held.plain) {
      add(held, rank, { metric, step, timeMs, value }, out);
    }
  }
  return { state: Object.fromEntries(metrics), samples: out };
}

/** What still waits, as if no further rank came. */
export function openSteps(state: RankState): readonly Sample[] {
  return Object.entries(state).flatMap(([metric, { open }]) => open.map((step) => meanOf(metric, step)));
}

function add(held: MetricState, rank: string, sample: Sample, out: Sample[]): void {
  if (!held.ranks.includes(rank)) held.ranks.push(rank);
  if (held.lastStep !== null && sample.step <= held.lastStep) {
    // Its step has been told already; that a late rank is not finite is news all the same.
    if (!Number.isFinite(sample.value)) out.push(sample);
    return;
  }
  const { step, timeMs, value } = sample;
  const open = held.open.find((candidate) => candidate.step === step);
  if (open === undefined) held.open.push({ step, timeMs, sum: toJsonNumber(value), count: 1 });
  else {
    open.sum = toJsonNumber((fromJsonNumber(open.sum) ?? 0) + value);
    open.count++;
    if (timeMs !== null && (open.timeMs === null || timeMs > open.timeMs)) open.timeMs = timeMs;
  }
  release(held, sample.metric, out);
}

/** Lets complete steps go, oldest first. Of the first step nobody knows how many ranks there are until the next has begun. */
function release(held: MetricState, metric: string, out: Sample[]): void {
  for (let [oldest, next] = held.open; oldest !== undefined; [oldest, next] = held.open) {
    const isComplete = oldest.count >= held.ranks.length && (held.settled || next !== undefined);
    if (!isComplete && held.open.length <= OPEN_STEPS) return;
    held.open.shift();
    held.settled = true;
    held.lastStep = oldest.step;
    out.push(meanOf(metric, oldest));
  }
}

function meanOf(metric: string, { step, timeMs, sum, count }: OpenStep): Sample {
  return { metric, step, timeMs, value: (fromJsonNumber(sum) ?? 0) / count };
}

function copyOf({ ranks, open, ...rest }: MetricState): MetricState {
  return { ...rest, ranks: [...ranks], open: open.map((step) => ({ ...step })) };
}
