import { keyOf, uniform } from "../fleet/noise.ts";
import { randomSource } from "../random.ts";
import { batchOf } from "./batch-of.ts";
import type { ActiveFault, StepMoment } from "./fault-clock.ts";
import { isStruck, numberOf } from "./placed-fault.ts";
import type { ClusterWorld } from "./world.ts";

/** Where the time of one step went, seconds; columns by rank but for `load` and `durationS`. */
export interface StepTimes {
  /** Sum of squared sequence lengths by replica, tokens². */
  readonly load: Float64Array;
  readonly forward: Float64Array;
  readonly backward: Float64Array;
  readonly data: Float64Array;
  /** In collectives, the wait for slower peers included. */
  readonly communication: Float64Array;
  /** Every rank waits for the slowest. */
  readonly durationS: number;
}

/** Shares of an undisturbed step. */
const COMPUTE = 0.8;
const TRANSFER = 0.14;
const DATA = 0.006;
const OTHER = 0.03;
const FORWARD = 0.34;
/** Attention grows with the square of the length: so much of the compute follows the load. */
const LOAD_SHARE = 0.3;
/** Sequences of 4,096 tokens, 16 of them a replica. */
const MEAN_LOAD = 16 * 4_096 ** 2;
/** Of the traffic of a tensor group goes over the slowest of its NVLinks. */
const LINK_SHARE = 0.6;
/** Now and then something of the machine pauses a rank: so many steps in a thousand. */
const HICCUP = 0.004;
const DAY_MS = 86_400_000;

/** The times of all ranks at a step. They depend on the batch (its sequence lengths), the moment and what acts on it, on nothing before. */
export function stepTimes(world: ClusterWorld, moment: StepMoment, active: readonly ActiveFault[]): StepTimes {
  const { plan, dp, node, pace, replicas } = world;
  const { ranks, run, noise } = plan;
  const random = randomSource(plan.seed, 0x71, moment.attempt, moment.step);
  const load = sequenceLoad(world, moment, active);
  const forward = new Float64Array(ranks);
  const backward = new Float64Array(ranks);
  const data = new Float64Array(ranks);
  // The slowest of many replicas is what a step waits for: an undisturbed step is to take about `stepTimeS` all the same.
  const slowest = 1 + LOAD_SHARE * plan.sequenceSpread * Math.sqrt(2 * Math.log(Math.max(2, replicas))) * 0.85;
  const swing = 1 + plan.diurnal * Math.sin((2 * Math.PI * moment.startMs) / DAY_MS);
  const base = (COMPUTE * run.stepTimeS * swing) / slowest;
  for (let rank = 0; rank < ranks; rank++) {
    const share = 1 - LOAD_SHARE + (LOAD_SHARE * at(load, at(dp, rank))) / MEAN_LOAD;
    const compute = base * at(pace, rank) * share;
    forward[rank] = FORWARD * compute * Math.exp(noise.time * random.normal());
    backward[rank] = (1 - FORWARD) * compute * Math.exp(noise.time * random.normal());
    data[rank] = DATA * run.stepTimeS * Math.exp(0.35 * random.normal());
  }
  if (random.uniform() < HICCUP) add(backward, Math.floor(random.uniform() * ranks), run.stepTimeS * (0.08 + 0.5 * random.uniform() ** 3));
  const transfer = new Float64Array(plan.nodes).fill(TRANSFER * run.stepTimeS * Math.exp(0.015 * random.normal()));
  const other = OTHER * run.stepTimeS * Math.exp(0.02 * random.normal());
  for (const fault of active) slow(world, moment, fault, { forward, backward, data, transfer });
  let longest = 0;
  for (let rank = 0; rank < ranks; rank++)
    longest = Math.max(longest, at(forward, rank) + at(backward, rank) + at(data, rank) + at(transfer, at(node, rank)));
  const communication = new Float64Array(ranks);
  for (let rank = 0; rank < ranks; rank++) communication[rank] = longest - at(forward, rank) - at(backward, rank) - at(data, rank);
  return { load, forward, backward, data, communication, durationS: longest + other };
}

/** Mixed-length batches: each replica has its own sum of squares, the same whenever the batch is read. */
function sequenceLoad({ plan, replicas }: ClusterWorld, moment: StepMoment, active: readonly ActiveFault[]): Float64Array {
  const imbalance = active.find(({ placed }) => placed.kind === "sequence-imbalance");
  const spread = imbalance === undefined ? plan.sequenceSpread : numberOf(imbalance.placed, "sequence-imbalance", "spread");
  const random = randomSource(plan.seed, 0x72, batchOf(plan, moment, active));
  const load = new Float64Array(replicas);
  for (let replica = 0; replica < replicas; replica++)
    load[replica] = Math.round(MEAN_LOAD * Math.exp(spread * random.normal() - spread ** 2 / 2));
  return load;
}

interface Times {
  readonly forward: Float64Array;
  readonly backward: Float64Array;
  readonly data: Float64Array;
  /** By node. */
  readonly transfer: Float64Array;
}

function slow({ plan, pp }: ClusterWorld, { tick }: StepMoment, { placed }: ActiveFault, times: Times): void {
  const stepS = plan.run.stepTimeS;
  const compute = (ranks: readonly number[], factor: number): void => {
    for (const rank of ranks) {
      times.forward[rank] = at(times.forward, rank) * factor;
      times.backward[rank] = at(times.backward, rank) * factor;
    }
  };
  switch (placed.kind) {
    case "straggler":
      if (isStruck(placed, numberOf(placed, "straggler", "share"), tick)) compute(placed.ranks, numberOf(placed, "straggler", "factor"));
      return;
    case "thermal":
      compute(placed.ranks, numberOf(placed, "thermal", "factor"));
      return;
    case "last-stage":
      compute(
        placed.ranks.filter((rank) => at(pp, rank) === plan.layout.pp - 1),
        numberOf(placed, "last-stage", "factor"),
      );
      return;
    case "data-slow":
      if (isStruck(placed, numberOf(placed, "data-slow", "share"), tick))
        for (const rank of placed.ranks)
          add(
            times.data,
            rank,
            (numberOf(placed, "data-slow", "factor") - 1) * stepS * (0.9 + 0.2 * uniform(keyOf(placed.key, tick), rank)),
          );
      return;
    case "jitter":
      if (isStruck(placed, numberOf(placed, "jitter", "share"), tick)) {
        const rank = placed.ranks[Math.floor(uniform(placed.key ^ 0x11, tick) * placed.ranks.length)];
        if (rank !== undefined)
          add(times.backward, rank, (numberOf(placed, "jitter", "factor") - 1) * stepS * (0.7 + 0.6 * uniform(placed.key ^ 0x12, tick)));
      }
      return;
    case "link-slow":
      if (placed.node !== null)
        add(times.transfer, placed.node, TRANSFER * stepS * LINK_SHARE * (1 / numberOf(placed, "link-slow", "left") - 1));
      return;
    case "link-errors":
    case "port-errors":
    case "port-down":
      if (placed.node !== null) add(times.transfer, placed.node, (numberOf(placed, placed.kind, "factor") - 1) * stepS);
      return;
    default:
  }
}

function at(column: Float64Array | Int32Array, place: number): number {
  return column[place] ?? 0;
}

function add(column: Float64Array, place: number, amount: number): void {
  column[place] = at(column, place) + amount;
}
