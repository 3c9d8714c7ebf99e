import { uniform, keyOf } from "../fleet/noise.ts";
import type { ClusterCheckpoint, ClusterEvent, ClusterStep, RankMetric, RankValues } from "./cluster-event.ts";
import { faultClock } from "./fault-clock.ts";
import type { ActiveFault, FaultClock, StepMoment } from "./fault-clock.ts";
import { modelOf } from "./model.ts";
import type { Model } from "./model.ts";
import { numberOf, placeFaults } from "./placed-fault.ts";
import type { PlacedFault } from "./placed-fault.ts";
import { LOCAL_GRADIENT, rankSignals } from "./rank-signals.ts";
import type { ModelMoment } from "./rank-signals.ts";
import { stepTimes } from "./rank-times.ts";
import { stopOf } from "./stops.ts";
import type { Stop } from "./stops.ts";
import type { ClusterWorld } from "./world.ts";

/** What happens at the clock: all that does not ask what the ranks say. */
export type ClockEvent =
  | {
      readonly kind: "start";
      readonly moment: StepMoment;
      readonly parent: string | null;
      readonly branchStep: number | null;
      readonly reason: string;
    }
  | { readonly kind: "step"; readonly moment: StepMoment; readonly active: readonly ActiveFault[]; readonly endMs: number }
  | {
      readonly kind: "stop";
      readonly moment: StepMoment;
      readonly active: readonly ActiveFault[];
      readonly stop: Stop;
      readonly endMs: number;
    }
  | { readonly kind: "saving"; readonly moment: StepMoment; readonly startedMs: number }
  /** It has been saved. */
  | { readonly kind: "checkpoint"; readonly event: ClusterCheckpoint }
  | { readonly kind: "end"; readonly moment: StepMoment; readonly endMs: number };

/** Attempts, steps and their times; deterministic in the world. `clock` remembers when each fault has come and gone. */
export function* clusterClock(world: ClusterWorld, clock: FaultClock): Generator<ClockEvent, void, undefined> {
  const { run } = world.plan;
  const stopped = new Set<number>();
  const onsetMs = ({ index }: PlacedFault): number => clock.spans.get(index)?.onset.startMs ?? Number.POSITIVE_INFINITY;
  let moment: StepMoment = { attempt: 0, attemptName: "a1", step: 1, tick: 0, startMs: run.startTimeMs };
  let newest = 0;
  let opening = { parent: null as string | null, branchStep: null as number | null, reason: "training starts" };
  for (;;) {
    yield { kind: "start", moment, ...opening };
    let stop: Stop | null = null;
    let saving: readonly ClusterCheckpoint[] = [];
    while (moment.step <= run.steps) {
      for (const event of saving.filter(({ timeMs }) => timeMs <= moment.startMs)) {
        if (event.state !== "incomplete") newest = event.step;
        yield { kind: "checkpoint", event };
      }
      saving = saving.filter(({ timeMs }) => timeMs > moment.startMs);
      const active = clock.at(moment);
      const live = active.filter(({ placed }) => !stopped.has(placed.index));
      stop = stopOf(moment, live, onsetMs);
      if (stop !== null) {
        yield { kind: "stop", moment, active, stop, endMs: moment.startMs + stop.killedAfterS * 1000 };
        break;
      }
      const endMs = moment.startMs + stepTimes(world, moment, active).durationS * 1000;
      yield { kind: "step", moment, active, endMs };
      if (moment.step % run.checkpointEvery === 0) {
        saving = [...saving, checkpointOf(world, moment, active, endMs)];
        yield { kind: "saving", moment, startedMs: endMs };
      }
      moment = { ...moment, step: moment.step + 1, tick: moment.tick + 1, startMs: endMs };
    }
    if (stop === null) {
      for (const event of saving) yield { kind: "checkpoint", event };
      yield { kind: "end", moment, endMs: Math.max(moment.startMs, ...saving.map(({ timeMs }) => timeMs)) };
      return;
    }
    stopped.add(stop.placed.index);
    const from = Math.min(stop.resumeFrom ?? newest, moment.step - 1);
    opening = { parent: moment.attemptName, branchStep: from, reason: stop.reason };
    newest = Math.min(newest, from);
    const startMs = moment.startMs + (stop.killedAfterS + stop.downtimeS) * 1000;
    moment = { attempt: moment.attempt + 1, attemptName: `a${moment.attempt + 2}`, step: from + 1, tick: moment.tick, startMs };
    if (BEGINS_AFTER.has(stop.placed.kind)) clock.begin(stop.placed.index, moment);
    else clock.end(stop.placed.index, moment);
  }
}

/** Whoever starts the job again has killed what hung, and runs on GPUs that are there; these begin with the new attempt. */
const BEGINS_AFTER: ReadonlySet<string> = new Set(["resume-learning-rate", "resume-data-order"]);

function checkpointOf(
  { plan }: ClusterWorld,
  { attemptName, step }: StepMoment,
  active: readonly ActiveFault[],
  startedMs: number,
): ClusterCheckpoint {
  const { run } = plan;
  const isIncomplete = run.incompleteCheckpoints.includes(step) || active.some(({ placed }) => placed.kind === "checkpoint-fails");
  const isVerified = !isIncomplete && run.verifyEvery > 0 && (step / run.checkpointEvery) % run.verifyEvery === 0;
  const slow = active.find(({ placed }) => placed.kind === "checkpoint-slow");
  const factor = slow === undefined ? 1 : numberOf(slow.placed, "checkpoint-slow", "factor");
  const saveMs = plan.saveS * factor * (0.9 + 0.2 * uniform(keyOf(plan.seed, 0xc4), step)) * 1000;
  return {
    kind: "checkpoint",
    attempt: attemptName,
    step,
    startedMs: Math.round(startedMs),
    timeMs: Math.round(startedMs + saveMs),
    path: `checkpoints/${attemptName}/step-${step}`,
    state: isIncomplete ? "incomplete" : isVerified ? "verified" : "unchecked",
    reason: isIncomplete ? "1 shard missing" : isVerified ? "replica hashes agree" : null,
  };
}

const HEARTBEAT_MS = 10_000;

/** All that happens, rank by rank; holds one step. A checkpoint that was being saved when its job died is never told. */
export function* clusterEvents(world: ClusterWorld): Generator<ClusterEvent, void, undefined> {
  const { plan } = world;
  const faults = placeFaults(plan);
  const model = modelOf(plan, faults);
  for (const event of clusterClock(world, faultClock(faults, plan.run.startTimeMs))) {
    switch (event.kind) {
      case "start": {
        const { moment, parent, branchStep, reason } = event;
        if (branchStep !== null) model.resume(branchStep);
        yield { kind: "start", attempt: moment.attemptName, parent, branchStep, timeMs: Math.round(moment.startMs), reason };
        break;
      }
      case "step":
        yield stepOf(world, model, event);
        break;
      case "stop":
        yield* lastWords(world, model, event);
        yield endOf(event.moment, event.endMs, "crashed");
        break;
      case "saving":
        yield { kind: "saving", attempt: event.moment.attemptName, step: event.moment.step, timeMs: Math.round(event.startedMs) };
        break;
      case "checkpoint":
        yield event.event;
        break;
      case "end":
        yield endOf(event.moment, event.endMs, "finished");
        break;
    }
  }
}

function endOf({ attemptName, step }: StepMoment, endMs: number, outcome: "finished" | "crashed"): ClusterEvent {
  return { kind: "end", attempt: attemptName, step: step - 1, timeMs: Math.round(endMs), outcome };
}

type Executed = Extract<ClockEvent, { readonly kind: "step" }>;
type Stopped = Extract<ClockEvent, { readonly kind: "stop" }>;

function stepOf(world: ClusterWorld, model: Model, { moment, active, endMs }: Executed): ClusterStep {
  const { run } = world.plan;
  const now = model.at(moment, active);
  const ranks = ranksAt(world, moment, active, now);
  const durationS = (endMs - moment.startMs) / 1000;
  return {
    kind: "step",
    attempt: moment.attemptName,
    step: moment.step,
    timeMs: Math.round(endMs),
    values: {
      loss: meanOf(ranks.columns.get("loss")),
      grad_norm: globalNorm(now.gradNorm, ranks.columns.get("grad_norm")),
      learning_rate: now.learningRate,
      step_time: durationS,
      tokens_per_second: run.tokensPerStep / durationS,
      tokens_consumed: moment.step * run.tokensPerStep,
      loss_scale: now.lossScale,
      batch_id: now.batch,
    },
    ranks,
  };
}

/** Where peers wait for a rank that never comes: they have done their part of the step, and say that they live until they are killed. */
function* lastWords(world: ClusterWorld, model: Model, { moment, active, stop, endMs }: Stopped): Generator<ClusterEvent, void, undefined> {
  if (!stop.leavesPeersWaiting) return;
  const { attemptName: attempt, step } = moment;
  const waiting = ranksAt(world, moment, active, model.at(moment, active));
  const silent = waiting.silent ?? new Uint8Array(world.plan.ranks);
  for (const rank of stop.placed.ranks) silent[rank] = 1;
  yield {
    kind: "stuck-step",
    attempt,
    step,
    timeMs: Math.round(moment.startMs + world.plan.run.stepTimeS * 1000),
    ranks: { ...waiting, silent },
  };
  for (let timeMs = moment.startMs + HEARTBEAT_MS; timeMs < endMs; timeMs += HEARTBEAT_MS)
    yield { kind: "heartbeat", attempt, timeMs: Math.round(timeMs) };
}

function ranksAt(world: ClusterWorld, moment: StepMoment, active: readonly ActiveFault[], now: ModelMoment): RankValues {
  const { forward, backward, data, communication, load } = stepTimes(world, moment, active);
  const { loss, gradNorm, hash, mismatches, expertLoad } = rankSignals(world, moment, now, active);
  const columns = new Map<RankMetric, Float64Array>([
    ["loss", loss],
    ["grad_norm", gradNorm],
    ["forward_time", forward],
    ["backward_time", backward],
    ["compute_time", forward.map((seconds, rank) => seconds + (backward[rank] ?? 0))],
    ["communication_time", communication],
    ["data_time", data],
    ["sequence_load", Float64Array.from(world.dp, (replica) => load[replica] ?? 0)],
    ["recompute_mismatches", mismatches],
  ]);
  if (hash !== null) columns.set("param_hash", hash);
  if (expertLoad !== null) columns.set("expert_load_ratio", expertLoad);
  return { columns, silent: silentRanks(world, moment), clockMs: clocksOf(world, active) };
}

function clocksOf({ clockMs }: ClusterWorld, active: readonly ActiveFault[]): Float64Array {
  const off = active.filter(({ placed }) => placed.kind === "clock-off");
  if (off.length === 0) return clockMs;
  const clocks = clockMs.slice();
  for (const { placed } of off)
    for (const rank of placed.ranks) clocks[rank] = (clocks[rank] ?? 0) + numberOf(placed, "clock-off", "offS") * 1000;
  return clocks;
}

/** What gets lost on its way. */
function silentRanks({ plan }: ClusterWorld, { attempt, step }: StepMoment): Uint8Array | null {
  if (plan.missing === 0) return null;
  const key = keyOf(plan.seed, 0x15, attempt, step);
  return Uint8Array.from({ length: plan.ranks }, (_, rank) => (uniform(key, rank) < plan.missing ? 1 : 0));
}

function meanOf(values: Float64Array | undefined): number {
  return values === undefined ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What one rank adds to the norm is diluted by all others: where noise dominates, squares add up (detection.md B.3). */
function globalNorm(undisturbed: number, local: Float64Array | undefined): number {
  if (local === undefined) return Number.NaN;
  const usual = LOCAL_GRADIENT * undisturbed;
  return undisturbed * Math.sqrt(local.reduce((sum, value) => sum + (value / usual) ** 2, 0) / local.length);
}
