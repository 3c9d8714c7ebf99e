import type { Checkpoint, Finding, RunNote } from "@trainwatch/core";
import {
  createClockWatch,
  createRankMean,
  logEveryOf,
  NEW_PACE,
  observePace,
  rankOf,
  stepTimeOf,
  type MonitorContext,
  type RankSample,
} from "@trainwatch/detect";
import type { RunFacts } from "@trainwatch/store";
import { clockFacts, endedFacts, NEWEST_MARKS, STILL_MS } from "../clock/index.ts";

/** Everything that an attempt's clock is replayed from; times by the clock of its samples, epoch ms. */
export interface ClockLineSources {
  readonly run: RunFacts;
  readonly context: MonitorContext;
  /** Of the run, oldest step first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Of the run, oldest first. */
  readonly notes: readonly RunNote[];
  /** When something of the run came that nobody has a time of, oldest first. */
  readonly heardMs: readonly number[];
  /** A push may be so much later than what it brings: what is not later than that was not heard beyond the step. */
  readonly rhythmMs: number;
  /** Share of its GPUs that move bytes at a time; null where nobody measured it. */
  readonly trafficShare: (atMs: number) => Promise<number | null>;
  /** Why to stop now; null: go on. */
  readonly spent: () => string | null;
}

/** One attempt, told the time again as it was then. */
export interface ClockLine {
  /** In the order of arrival. Findings that are new or have changed. */
  take(samples: readonly RankSample[]): Promise<readonly Finding[]>;
  /** Nothing more comes. `untilMs`: until when the attempt was there; `ended`: it was over then. */
  close(untilMs: number | null, ended: boolean): Promise<readonly Finding[]>;
  /** Samples that tell no time: nothing can be said of when they came. */
  untimed(): number;
  timed(): number;
}

/** The clock's ticks while steps come or have stood for less than an hour, for a day, and beyond: a hang is told again as it doubles, and by then nobody asks for seconds. */
const TICKS = [
  { untilMs: 3_600_000, everyMs: 10_000 },
  { untilMs: 86_400_000, everyMs: 60_000 },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: 600_000 },
] as const;
/** A clock that jumps by more is wrong, or nobody waited for so long. */
const LONGEST_MS = 30 * 86_400_000;

export function createClockLine(sources: ClockLineSources): ClockLine {
  const { run, context, checkpoints, notes, heardMs, rhythmMs, trafficShare, spent } = sources;
  const watch = createClockWatch(context);
  const mean = createRankMean({});
  const rankSteps = new Map<number, number>();
  const own = checkpoints.filter(({ attempt }) => attempt === context.attempt);
  const ownNotes = notes.filter(({ attempt }) => attempt === context.attempt);
  let pace = NEW_PACE;
  let nowMs: number | null = null;
  let lastStep: number | null = null;
  let movedMs: number | null = null;
  let sampleMs: number | null = null;
  let nextHeard = 0;
  let pushMs = Number.NEGATIVE_INFINITY;
  let [timed, untimed] = [0, 0];

  const signs = () => ({
    attempt: context.attempt,
    stepIsConstant: run.stepIsConstant,
    lastStep,
    stepMovedAtMs: movedMs,
    lastReceivedAtMs: movedMs !== null && pushMs > movedMs + rhythmMs ? Math.max(pushMs, sampleMs ?? pushMs) : sampleMs,
    stepTimeS: stepTimeOf(pace),
    logEvery: logEveryOf(pace),
  });

  const tick = async (atMs: number): Promise<readonly Finding[]> => {
    for (let heard = heardMs[nextHeard]; heard !== undefined && heard <= atMs; heard = heardMs[++nextHeard]) pushMs = heard;
    const isStill = movedMs !== null && atMs - movedMs > STILL_MS;
    const facts = clockFacts({
      signs: signs(),
      // Of an attempt that goes on: its end is told by `close`.
      facts: { metadata: run.metadata, endedAtMs: null },
      checkpoints: own.filter((each) => wasSaved(each, atMs, lastStep)).slice(-NEWEST_MARKS),
      notes: ownNotes.filter((each) => wasNoted(each, atMs, lastStep)).slice(-NEWEST_MARKS),
      trafficShare: isStill ? await trafficShare(atMs) : null,
      nowMs: atMs,
    });
    return watch.observe(facts, rankSteps);
  };

  const advance = async (toMs: number): Promise<readonly Finding[]> => {
    const found: Finding[] = [];
    if (nowMs === null) {
      nowMs = toMs;
      return found;
    }
    const lastMs = Math.min(toMs, nowMs + LONGEST_MS);
    const stillSinceMs = movedMs ?? nowMs;
    for (let atMs = nextTick(nowMs, stillSinceMs); atMs <= lastMs && spent() === null; atMs = nextTick(atMs, stillSinceMs)) {
      nowMs = atMs;
      found.push(...(await tick(atMs)));
    }
    if (toMs > lastMs) nowMs = toMs;
    return found;
  };

  return {
    async take(samples) {
      const found: Finding[] = [];
      for (const sample of samples) {
        pace = observePace(pace, mean.observe([sample]));
        const { timeMs, step } = sample;
        const rank = sample.rank === null ? null : rankOf(sample.rank);
        if (timeMs === null) {
          untimed++;
          continue;
        }
        timed++;
        found.push(...(await advance(timeMs)));
        sampleMs = Math.max(sampleMs ?? timeMs, timeMs);
        if (rank !== null) rankSteps.set(rank, Math.max(rankSteps.get(rank) ?? step, step));
        if (lastStep !== null && step <= lastStep) continue;
        lastStep = step;
        // A clock that was set back does not make the step older.
        movedMs = Math.max(movedMs ?? timeMs, timeMs);
      }
      return found;
    },
    async close(untilMs, ended) {
      const found = untilMs === null || timed === 0 ? [] : [...(await advance(untilMs))];
      if (!ended || timed === 0) return found;
      const at = { lastReceivedAtMs: sampleMs, stepTimeS: stepTimeOf(pace), logEvery: logEveryOf(pace) };
      return [...found, ...watch.observe(endedFacts(at, lastStep, untilMs ?? nowMs ?? 0), rankSteps)];
    },
    untimed: () => untimed,
    timed: () => timed,
  };
}

function nextTick(atMs: number, stillSinceMs: number): number {
  const everyMs = TICKS.find(({ untilMs }) => atMs - stillSinceMs < untilMs)?.everyMs ?? 600_000;
  return (Math.floor(atMs / everyMs) + 1) * everyMs;
}

/** By its own time; where nobody has told that, once the run was at its step. */
function wasSaved({ savedAtMs, step }: Checkpoint, atMs: number, lastStep: number | null): boolean {
  return savedAtMs === null ? lastStep !== null && step <= lastStep : savedAtMs <= atMs;
}

function wasNoted({ timeMs, step }: RunNote, atMs: number, lastStep: number | null): boolean {
  return timeMs === null ? lastStep !== null && (step ?? 0) <= lastStep : timeMs <= atMs;
}
