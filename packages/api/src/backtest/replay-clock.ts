import type { Finding } from "@trainwatch/core";
import { RANK_METRICS, type ClockDetectorEntry, type MonitorContext } from "@trainwatch/detect";
import { createPace, type RunFacts, type Store } from "@trainwatch/store";
import { trafficShare } from "../clock/index.ts";
import type { FleetViews } from "../fleet/fleet-views-contract.ts";
import type { Budget } from "./budget.ts";
import { createClockLine, type ClockLine } from "./clock-line.ts";
import type { RunReplay } from "./replay-run.ts";
import { stretches } from "./stretches.ts";

const BATCH_SAMPLES = 20_000;
const MOST_MARKS = 2_000;
const MOST_PUSHES = 100_000;
/** Where a run logs nothing that detectors read, so many of its metrics tell its steps. */
const MOST_METRICS = 16;
/** A run whose first push came within so much of its first sample was watched while it trained; another log was read in afterwards. */
const LIVE_MS = 10 * 60_000;
/** Pushes that came less than so many of their usual distances after a step may have brought it. */
const RHYTHMS = 2;

export interface ClockReplayRequest {
  readonly store: Pick<Store, "records" | "samples" | "fleet">;
  readonly views: FleetViews;
  readonly entry: ClockDetectorEntry;
  readonly parameters: NonNullable<MonitorContext["parameters"]>;
  readonly run: RunFacts;
  readonly budget: Budget;
  readonly before: { readonly samples: number; readonly firings: number };
}

export interface ClockReplay extends RunReplay {
  /** What could not be brought back of this run. */
  readonly caveats: readonly string[];
}

/**
 * Tells a run's clock detectors the time again: by the times of its samples, its saves and its notes, and where it was watched while it trained by those of its pushes too, which are set
 * to the samples' clock. What a detector is told live by the server's clock it is told here by the trainer's. Nothing is stored.
 */
export async function replayClock(request: ClockReplayRequest): Promise<ClockReplay> {
  const { store, run, entry, budget, before } = request;
  const lines = new Map<string, ClockLine>();
  const found = new Map<string, Finding>();
  const take = (findings: readonly Finding[]): void => {
    for (const finding of findings) if (finding.detector === entry.id) found.set(finding.id, finding);
  };
  let samples = 0;
  const spent = (): string | null => budget.spent(before.samples + samples, before.firings + found.size);
  const metrics = await metricsOf(store, run);
  const marks = await marksOf(request);
  const makeLine = async (attempt: string, firstMs: number | null): Promise<ClockLine> =>
    createClockLine({
      ...marks,
      ...(await pushesOf(request, firstMs)),
      run,
      context: { run: run.fullName, attempt, parameters: request.parameters },
      trafficShare: trafficOf(request),
      spent,
    });
  const pace = createPace();
  let after = { arrival: 0, offset: 0 };
  let untilStep = Number.NEGATIVE_INFINITY;
  let firstMs: number | null = null;
  let cut: string | null = null;
  for (let more = true; more && cut === null;) {
    cut = spent();
    if (cut !== null) break;
    const limit = Math.min(BATCH_SAMPLES, budget.limits.samples - before.samples - samples);
    const read = await store.samples.readSince({ runId: run.id, after, metrics, limit });
    if (read === null) {
      cut = "the run was deleted meanwhile";
      break;
    }
    for (const { attempt, samples: stretch } of stretches(read.samples)) {
      await pace.rest();
      firstMs ??= stretch.find(({ timeMs }) => timeMs !== null)?.timeMs ?? null;
      const line = lines.get(attempt) ?? (await makeLine(attempt, firstMs));
      lines.set(attempt, line);
      take(await line.take(stretch));
      untilStep = stretch.reduce((most, { step }) => Math.max(most, step), untilStep);
    }
    samples += read.samples.length;
    ({ next: after, more } = read);
  }
  // What was not read to its end did not end there.
  if (cut === null) await closeAll(request, lines, firstMs, take);
  cut ??= spent();
  const caveats = [
    ...(firstMs === null || isLive(run, firstMs) ? [] : [notLive(run)]),
    ...marks.caveats,
    ...untimedCaveats(run, entry, lines),
  ];
  return { findings: [...found.values()], samples, untilStep: cut === null ? Number.POSITIVE_INFINITY : untilStep, cut, caveats };
}

async function metricsOf({ records }: ClockReplayRequest["store"], { id }: RunFacts): Promise<readonly string[]> {
  const { items } = await records.runs.metricKeys({ runId: id, search: "", limit: MOST_METRICS, cursor: null });
  const read = ["loss", "step_time", ...RANK_METRICS];
  const known = new Set(items.map(({ metric }) => metric));
  return [...new Set([...read, ...known])];
}

async function marksOf({ store: { records }, run, entry }: ClockReplayRequest) {
  const checkpoints = await records.runs.checkpoints(run.id, { nearStep: null, limit: MOST_MARKS });
  const notes = await records.runs.notes(run.id, MOST_MARKS);
  const left = [
    ...(checkpoints.total > checkpoints.items.length ? [`its ${checkpoints.total - checkpoints.items.length} oldest checkpoints`] : []),
    ...(notes.total > notes.items.length ? [`its ${notes.total - notes.items.length} oldest notes`] : []),
  ];
  const caveats = [
    ...(left.length === 0 ? [] : [`${run.fullName}: ${left.join(" and ")} were not looked at.`]),
    ...(entry.id === "checkpoint-failed" && checkpoints.total > 0
      ? [`${run.fullName}: of a checkpoint only its newest state is stored. One that was incomplete and was completed later is not found.`]
      : []),
  ];
  return { checkpoints: checkpoints.items, notes: notes.items, caveats };
}

function isLive({ createdAtMs }: RunFacts, firstMs: number): boolean {
  return Math.abs(createdAtMs - firstMs) <= LIVE_MS;
}

function notLive({ fullName }: RunFacts): string {
  return `${fullName} was read in after it had trained: whether anything was heard of it while its steps stood is known of its samples alone.`;
}

/** Times of pushes by the samples' clock, which may differ from ours by minutes; none where the run was not watched while it trained. */
async function pushesOf(
  { store: { records }, run }: ClockReplayRequest,
  firstMs: number | null,
): Promise<{ readonly heardMs: readonly number[]; readonly rhythmMs: number }> {
  if (firstMs === null || !isLive(run, firstMs)) return { heardMs: [], rhythmMs: 0 };
  const times = await records.runs.pushTimes(run.id, MOST_PUSHES);
  const behindMs = run.createdAtMs - firstMs;
  const gaps = times.map((timeMs, index) => timeMs - (times[index - 1] ?? timeMs)).sort((a, b) => a - b);
  return { heardMs: times.map((timeMs) => timeMs - behindMs), rhythmMs: RHYTHMS * (gaps[gaps.length >> 1] ?? 0) };
}

function trafficOf({ store: { fleet }, views, run, entry }: ClockReplayRequest): (atMs: number) => Promise<number | null> {
  if (entry.id !== "hang") return () => Promise.resolve(null);
  return (atMs) => trafficShare(fleet.reader, views, run.id, atMs);
}

/** An attempt was there until the next one began, the run until it ended; one that still goes on until it was last heard of. */
async function closeAll(
  { store: { records }, run }: ClockReplayRequest,
  lines: ReadonlyMap<string, ClockLine>,
  firstMs: number | null,
  take: (findings: readonly Finding[]) => void,
): Promise<void> {
  const attempts = await records.runs.attempts(run.id);
  const behindMs = firstMs !== null && isLive(run, firstMs) ? run.createdAtMs - firstMs : null;
  const here = (atMs: number | null): number | null => (atMs === null || behindMs === null ? run.lastSampleAtMs : atMs - behindMs);
  for (const [name, line] of lines) {
    const at = attempts.findIndex((attempt) => attempt.name === name);
    const next = attempts.slice(at + 1).find(({ startedAtMs }) => startedAtMs !== null);
    if (next !== undefined) take(await line.close(next.startedAtMs, true));
    else if (run.endedAtMs === null) take(await line.close(here(run.lastReceivedAtMs), false));
    else take(await line.close(here(run.endedAtMs), true));
  }
}

function untimedCaveats({ fullName }: RunFacts, { id }: ClockDetectorEntry, lines: ReadonlyMap<string, ClockLine>): readonly string[] {
  return [...lines].flatMap(([attempt, line]) =>
    line.timed() === 0 && line.untimed() > 0 ? [`${fullName} ${attempt}: its samples tell no times, so ${id} cannot be tried on it.`] : [],
  );
}
