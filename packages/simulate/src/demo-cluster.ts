import { simulateCluster } from "./cluster/simulate-cluster.ts";
import type { SimulatedCluster } from "./cluster/simulate-cluster.ts";
import type { RankMetric } from "./cluster/cluster-event.ts";
import type { ClusterInput } from "./cluster/cluster-plan.ts";

/** A run of the demonstration that is simulated rank by rank. */
export interface DemoClusterRun {
  readonly project: string;
  readonly name: string;
  /** Shape of `runMetadataSchema`. */
  readonly metadata: {
    readonly gpus: number;
    readonly tokensPerStep: number;
    readonly targetSteps: number;
    readonly checkpointEvery: number;
    readonly cluster: string;
  };
  readonly simulated: SimulatedCluster;
  readonly metrics: readonly RankMetric[];
  /** Ranks are sent from this step of the last attempt on; of a run that has ended, all are. */
  readonly ranksFromStep: number;
}

export interface DemoLive extends DemoClusterRun {
  /** The last step that has ended at `nowMs`; later ones are due at their own `timeMs`. The spike begins 8 s after it and has not come back 20 s later. */
  readonly backlogSteps: number;
}

const MINUTE_MS = 60_000;
const NODES = 16;
const STEP_S = 0.25;
/** About 54 minutes. */
const BACKLOG = 12_000;
const LOST_AT = 6_400;
const SPIKE = BACKLOG + 32;
const HOT = { node: 10, gpu: 5 } as const;
/** Ranks of the last minutes are there when the page opens; all of them would take longer to send than to look at. */
const RANKS_BACK = 700;
/** With it 128 ranks have as many series as a push holds. */
const LIVE_METRICS = [
  "loss",
  "grad_norm",
  "forward_time",
  "backward_time",
  "compute_time",
  "communication_time",
  "data_time",
  "sequence_load",
  "param_hash",
] as const satisfies readonly RankMetric[];

/**
 * A run in full swing on 16 nodes, true to the wall clock. What has happened: half an hour ago a GPU fell off the bus and took the job with it; an NVLink was slow for some minutes; a
 * GPU has begun to calculate wrongly; one runs hot; one link repeats what it sends; one GPU has remapped a row; one node is scraped with the default fields. What is to come: a loss
 * spike after 8 s, a slow GPU after 100 s, the hot one that throttles after five minutes, and the slow link again after seven.
 */
export function demoLive(seed: number, nowMs: number): DemoLive {
  const input = (startTimeMs: number): ClusterInput => ({
    seed,
    nodes: NODES,
    layout: { tp: 8, pp: 4 },
    noise: { loss: 0.012, outlierEvery: 6_000 },
    run: {
      steps: 200_000,
      stepTimeS: STEP_S,
      tokensPerStep: 32_768,
      floorLoss: 1.5,
      checkpointEvery: 250,
      warmupSteps: 400,
      noise: 0.006,
      startTimeMs,
      faults: [
        { kind: "outlier", step: 3_310, factor: 1.4 },
        { kind: "spike-shift", step: SPIKE, factor: 2.4, halfLifeSteps: 18, shift: 0.23, gradLeadSteps: 4 },
        { kind: "outlier", step: SPIKE + 2_000, factor: 1.5 },
      ],
    },
    saveS: 4,
    faults: [
      { kind: "xid", step: LOST_AT, node: 2, gpu: 7, code: 79, downtimeS: 90 },
      { kind: "link-slow", step: BACKLOG - 2_700, forSteps: 1_600, node: 8, gpu: 3, link: 4, left: 0.35 },
      { kind: "thermal", step: BACKLOG - 3_200, ...HOT, celsius: 21, factor: 1 },
      { kind: "link-errors", step: BACKLOG - 2_100, node: 5, gpu: 2, link: 11, perSecond: 180 },
      { kind: "silent-error", step: BACKLOG - 120, forSteps: 1_200, node: 3, gpu: 6, sigma: 7 },
      { kind: "straggler", step: BACKLOG + 400, forSteps: 300, node: 6, gpu: 1, factor: 1.4 },
      { kind: "thermal", step: SPIKE + 1_200, forSteps: 240, ...HOT, celsius: 7, factor: 1.6 },
      { kind: "link-slow", step: BACKLOG + 1_700, forSteps: 480, node: 8, gpu: 3, link: 4, left: 0.35 },
    ],
    fleetFaults: [
      { kind: "row-remap", node: 13, gpu: 1, atMs: nowMs - 19 * MINUTE_MS, rows: 1, failed: false },
      { kind: "default-fields", node: 7, atMs: nowMs - DEMO_FLEET_PAST_MS },
    ],
  });
  const simulated = startingSo(input, nowMs);
  return {
    project: "demo",
    name: "large-70b",
    metadata: metadataOf(simulated, "east-1"),
    simulated,
    metrics: LIVE_METRICS,
    ranksFromStep: BACKLOG - RANKS_BACK,
    backlogSteps: BACKLOG,
  };
}

/** How far back the readings of the demonstration's nodes go. */
export const DEMO_FLEET_PAST_MS = 60 * MINUTE_MS;

/** The run whose step `BACKLOG`, of the attempt that has got so far, ends at `nowMs`: how long steps take does not depend on when they do. */
function startingSo(input: (startTimeMs: number) => ClusterInput, nowMs: number): SimulatedCluster {
  const guess = simulateCluster(input(0));
  return simulateCluster(input(nowMs - guess.endOf(BACKLOG)));
}

const DAY_MS = 86_400_000;
const PAST_STEPS = 1_400;

/** A run of some days ago, on two of the same nodes: a GPU that calculates wrongly now and then, one that is slow, slow data, and a hang that nobody saw for a quarter of an hour. */
export function demoPast(seed: number, nowMs: number): DemoClusterRun {
  const simulated = simulateCluster({
    seed,
    nodes: 2,
    layout: { tp: 1, pp: 1, ep: 4 },
    noise: { loss: 0.02, outlierEvery: 3_000 },
    run: {
      steps: PAST_STEPS,
      stepTimeS: 1.9,
      tokensPerStep: 524_288,
      floorLoss: 1.9,
      checkpointEvery: 100,
      warmupSteps: 100,
      startTimeMs: nowMs - 2 * DAY_MS,
    },
    faults: [
      { kind: "silent-error", step: 420, forSteps: 120, rank: 9, sigma: 8, share: 0.6, recompute: 1 },
      { kind: "straggler", step: 640, forSteps: 80, rank: 4, factor: 1.35 },
      { kind: "data-slow", step: 820, forSteps: 60, factor: 1.4 },
      { kind: "hang", step: 980, rank: 13, killedAfterS: 900, downtimeS: 240 },
      { kind: "expert-imbalance", step: 1_180, forSteps: 60, ratio: 5 },
    ],
  });
  return {
    project: "demo",
    name: "moe-3b",
    metadata: metadataOf(simulated, "east-1"),
    simulated,
    metrics: [...LIVE_METRICS, "recompute_mismatches", "expert_load_ratio"],
    ranksFromStep: 0,
  };
}

function metadataOf({ plan }: SimulatedCluster, cluster: string): DemoClusterRun["metadata"] {
  return {
    gpus: plan.ranks,
    cluster,
    tokensPerStep: plan.run.tokensPerStep,
    targetSteps: plan.run.steps,
    checkpointEvery: plan.run.checkpointEvery,
  };
}
