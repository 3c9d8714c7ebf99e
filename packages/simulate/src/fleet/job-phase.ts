import { simulateRun } from "../simulate-run.ts";
import { completePlan } from "../plan.ts";
import type { PlanInput, SimulationPlan } from "../plan.ts";

/** What a job is doing, from a time until the next phase. */
export interface JobPhase {
  readonly fromMs: number;
  readonly kind: "idle" | "training" | "saving" | "hanging";
  /** Share of its full speed at which it trains; 1 but for slow steps. */
  readonly pace: number;
}

/** What of a run's events its GPUs notice. */
export type PaceEvent =
  | { readonly kind: "point"; readonly timeMs: number; readonly values: { readonly step_time: number } }
  | { readonly kind: "start" | "checkpoint" | "end"; readonly timeMs: number };

/** Steps whose time is off by less are of one pace: the noise of a step is 1 %. */
const SAME_PACE = 0.08;
/** Shards go to the store in the background of the steps that follow. */
const MOST_SAVE_MS = 30_000;
const SAVE_SHARE = 0.08;
/** No step for so many step times, and no end: it hangs. */
const HANG_STEPS = 4;

/**
 * What a simulated run does, as its GPUs see it: phases in order of time, from its start on. Yields a phase as soon as it is known, so that a
 * run of weeks is simulated only as far as somebody looks.
 */
export function* phasesOfRun(input: PlanInput, events: Iterable<PaceEvent> = simulateRun(input)): Generator<JobPhase, void, undefined> {
  const plan = completePlan(input);
  const saveMs = Math.min(MOST_SAVE_MS, SAVE_SHARE * plan.checkpointEvery * plan.stepTimeS * 1000);
  let now: JobPhase = { fromMs: Number.NEGATIVE_INFINITY, kind: "idle", pace: 0 };
  let lastMs = plan.startTimeMs;
  let savedAtMs: number | null = null;
  const turn = function* (fromMs: number, kind: JobPhase["kind"], pace: number): Generator<JobPhase, void, undefined> {
    if (kind === now.kind && Math.abs(pace - now.pace) < SAME_PACE) return;
    now = { fromMs: Math.max(fromMs, now.fromMs), kind, pace };
    yield now;
  };
  for (const event of events) {
    if (event.kind === "point") {
      const pace = paceOf(event, plan);
      if (savedAtMs !== null && event.timeMs >= savedAtMs + saveMs) {
        yield* turn(savedAtMs + saveMs, "training", pace);
        savedAtMs = null;
      } else if (savedAtMs === null) yield* turn(lastMs, "training", pace);
    } else if (event.kind === "checkpoint") {
      yield* turn(event.timeMs, "saving", 1);
      savedAtMs = event.timeMs;
    } else if (event.kind === "end") {
      if (event.timeMs - lastMs > HANG_STEPS * plan.stepTimeS * plan.logEvery * 1000) yield* turn(lastMs, "hanging", 0);
      yield* turn(event.timeMs, "idle", 0);
      savedAtMs = null;
    }
    lastMs = event.timeMs;
  }
}

function paceOf({ values }: Extract<PaceEvent, { readonly kind: "point" }>, { stepTimeS }: SimulationPlan): number {
  const pace = stepTimeS / values.step_time;
  return Math.abs(pace - 1) < SAME_PACE ? 1 : Math.round(pace * 50) / 50;
}

const STEADY_SAVE_EVERY_MS = 1_800_000;

/** A job that just goes on, with a checkpoint each half hour. */
export function* steadyPhases(fromMs: number): Generator<JobPhase, void, undefined> {
  for (let atMs = fromMs; ; atMs += STEADY_SAVE_EVERY_MS) {
    yield { fromMs: atMs, kind: "training", pace: 1 };
    yield { fromMs: atMs + STEADY_SAVE_EVERY_MS - MOST_SAVE_MS, kind: "saving", pace: 1 };
  }
}
