import { grown, packColumn, unpackColumn } from "../rank/column.ts";
import type { RankStep } from "../rank/contract.ts";
import { newOpenStep, packOpenStep, putRank, rankStepOf, unpackOpenStep, type OpenStep, type StoredOpenStep } from "./open-step.ts";
import { rankOf } from "./rank-label.ts";
import type { RankSample } from "./rank-mean.ts";

/** What the assembler could not use, over the attempt so far. */
export interface Unused {
  /** Values of ranks that came after their step had been judged without them. */
  readonly late: number;
  /** Values under labels that name no rank. */
  readonly unnamed: number;
}

/** Samples of ranks as rows of a matrix: for each metric one step of all ranks. Depends on arrival order alone, not on batches. */
export interface RankAssembler {
  /** Steps that one more sample completes, ascending for each metric. Samples without a rank are none of its matter. */
  take(sample: RankSample): readonly RankStep[];
  /** Steps that still wait, as if no further rank came. */
  open(): readonly RankStep[];
  /** Newest step of each rank, over all metrics. */
  lastSteps(): ReadonlyMap<number, number>;
  unused(): Unused;
  state(): AssemblerState;
}

interface MetricState {
  lastStep: number | null;
  /** The ranks are known: one has begun a step that none had, after others had joined. Until then steps wait, for who pushes many steps at once. */
  settled: boolean;
  /** Steps in a row that went out without the rank; `UNKNOWN` where it has never spoken. Below `GONE` it is awaited. */
  missed: Uint8Array;
  /** Newest step of each rank, -1 where it has never spoken. Who has gone on to a later step has nothing more to say of an earlier one. */
  last: Float64Array;
  /** The largest rank known plus one. */
  ranks: number;
  awaited: number;
  /** Ascending by step. */
  readonly open: OpenStep[];
}

interface StoredMetric {
  readonly lastStep: number | null;
  readonly settled: boolean;
  readonly missed: string;
  /** `newest`, and by how much each rank is behind it; one more than that where it has never spoken. */
  readonly newest: number;
  readonly behind: string;
  readonly awaited: number;
  readonly open: readonly StoredOpenStep[];
}

/** JSON-safe. */
export interface AssemblerState extends Unused {
  readonly metrics: Readonly<Record<string, StoredMetric>>;
  /** Newest step a rank, -1 where none. */
  readonly steps: string;
}

export const NEW_ASSEMBLER: AssemblerState = { metrics: {}, steps: "", late: 0, unnamed: 0 };

const UNKNOWN = 255;
/** A rank that has missed so many steps in a row is not waited for until it speaks again. */
const GONE = 3;
/** Values that may wait for each metric, and so many steps at least and at most: for ranks that push ten or fifty steps at once. */
const OPEN_VALUES = 2 ** 20;
const OPEN_STEPS = { least: 8, most: 64 } as const;
const NOTHING: readonly RankStep[] = [];

export function createRankAssembler(stored: AssemblerState): RankAssembler {
  const metrics = new Map(Object.entries(stored.metrics).map(([metric, held]) => [metric, restored(held)]));
  let steps = unpackColumn(Float64Array, stored.steps);
  let { late, unnamed } = stored;

  const note = (rank: number, step: number): void => {
    if (rank >= steps.length) {
      const before = steps.length;
      steps = grown(Float64Array, steps, rank + 1);
      steps.fill(-1, before);
    }
    if (step > (steps[rank] ?? -1)) steps[rank] = step;
  };

  return {
    take({ metric, rank: label, step, timeMs, value }) {
      if (label === null) return NOTHING;
      const rank = rankOf(label);
      if (rank === null) {
        unnamed++;
        return NOTHING;
      }
      note(rank, step);
      let held = metrics.get(metric);
      if (held === undefined) {
        held = { lastStep: null, settled: false, missed: new Uint8Array(), last: new Float64Array(), ranks: 0, awaited: 0, open: [] };
        metrics.set(metric, held);
      }
      awaitRank(held, rank);
      if (held.lastStep !== null && step <= held.lastStep) {
        late++;
        return NOTHING;
      }
      putRank(openAt(held, step), rank, timeMs, value);
      goOnTo(held, rank, step);
      return release(held, metric);
    },
    open: () => [...metrics].flatMap(([metric, held]) => held.open.map((open) => rankStepOf(metric, open, held.ranks))),
    lastSteps() {
      const last = new Map<number, number>();
      for (const [rank, step] of steps.entries()) if (step >= 0) last.set(rank, step);
      return last;
    },
    unused: () => ({ late, unnamed }),
    state: () => ({
      metrics: Object.fromEntries([...metrics].map(([metric, held]) => [metric, packed(held)])),
      steps: packColumn(steps),
      late,
      unnamed,
    }),
  };
}

/** A rank has spoken: steps wait for it from now on. */
function awaitRank(held: MetricState, rank: number): void {
  if (rank >= held.missed.length) {
    const before = held.missed.length;
    held.missed = grown(Uint8Array, held.missed, rank + 1);
    held.missed.fill(UNKNOWN, before);
    held.last = grown(Float64Array, held.last, held.missed.length);
    held.last.fill(-1, before);
  }
  if (rank >= held.ranks) held.ranks = rank + 1;
  const missed = held.missed[rank] ?? UNKNOWN;
  if (missed === 0) return;
  held.missed[rank] = 0;
  if (missed < GONE) return;
  held.awaited++;
  for (const open of held.open) if ((held.last[rank] ?? -1) >= open.step) open.present++;
}

function goOnTo(held: MetricState, rank: number, step: number): void {
  const before = held.last[rank] ?? -1;
  if (step <= before) return;
  held.last[rank] = step;
  for (const open of held.open) if (open.step > before && open.step <= step) open.present++;
}

function openAt(held: MetricState, step: number): OpenStep {
  let at = held.open.length;
  while (at > 0 && (held.open[at - 1]?.step ?? -1) > step) at--;
  const known = held.open[at - 1];
  if (known?.step === step) return known;
  const isNewest = at === held.open.length;
  if (isNewest && at > 0 && held.awaited > 1) held.settled = true;
  const fresh = newOpenStep(step, held.ranks);
  if (!isNewest) fresh.present = countBeyond(held, step);
  held.open.splice(at, 0, fresh);
  return fresh;
}

/** Awaited ranks that have gone on beyond a step that nobody had begun. */
function countBeyond(held: MetricState, step: number): number {
  let beyond = 0;
  for (let rank = 0; rank < held.ranks; rank++) if ((held.missed[rank] ?? UNKNOWN) < GONE && (held.last[rank] ?? -1) >= step) beyond++;
  return beyond;
}

/** Lets go, oldest first, what is complete, and what has waited while many newer steps began. */
function release(held: MetricState, metric: string): readonly RankStep[] {
  const most = Math.min(OPEN_STEPS.most, Math.max(OPEN_STEPS.least, Math.floor(OPEN_VALUES / Math.max(1, held.ranks))));
  let out: RankStep[] | null = null;
  for (let [oldest] = held.open; oldest !== undefined; [oldest] = held.open) {
    const isComplete = held.settled && oldest.present >= held.awaited;
    if (!isComplete && held.open.length <= most) break;
    held.open.shift();
    held.lastStep = oldest.step;
    if (oldest.present < held.awaited) countMissing(held, oldest);
    (out ??= []).push(rankStepOf(metric, oldest, held.ranks));
  }
  return out ?? NOTHING;
}

/** Awaited ranks that have not come as far. */
function countMissing(held: MetricState, gone: OpenStep): void {
  for (let rank = 0; rank < held.ranks; rank++) {
    const missed = held.missed[rank] ?? UNKNOWN;
    if (missed >= GONE || (held.last[rank] ?? -1) >= gone.step) continue;
    held.missed[rank] = missed + 1;
    if (missed + 1 >= GONE) held.awaited--;
  }
}

function packed({ missed, last, ranks, open, ...rest }: MetricState): StoredMetric {
  const newest = last.subarray(0, ranks).reduce((high, step) => Math.max(high, step), -1);
  const behind = Uint32Array.from(last.subarray(0, ranks), (step) => Math.min(FURTHEST, newest - step));
  return { ...rest, missed: packColumn(missed.subarray(0, ranks)), newest, behind: packColumn(behind), open: open.map(packOpenStep) };
}

/** What a column of 32 bits holds. */
const FURTHEST = 2 ** 32 - 1;

function restored({ missed, newest, behind, open, ...rest }: StoredMetric): MetricState {
  const column = unpackColumn(Uint8Array, missed);
  const last = Float64Array.from(unpackColumn(Uint32Array, behind), (steps) => newest - steps);
  return { ...rest, missed: column, last, ranks: column.length, open: open.map(unpackOpenStep) };
}
