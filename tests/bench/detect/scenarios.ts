import type { ClusterFault, ClusterInput, ClusterTruth } from "@trainwatch/simulate";

/** Steps before a fault: baselines and standing offsets are learnt by then. */
export const BEFORE = 320;

/** One kind of trouble, put into many runs. */
export interface Scenario {
  readonly name: string;
  /** The group of goals it belongs to. */
  readonly group: "silent-error" | "fail-slow" | "node" | "stall" | "learning";
  /** Seeds, and with them places, layouts and noise. */
  readonly runs: number;
  /** Whether exporters and kernel logs are read as well. */
  readonly fleet: boolean;
  /** Steps after the onset within which it must be said. */
  readonly within: number;
  /** A page or ticket must be raised, or a note will do. */
  readonly needs: "alarm" | "note";
  /** @param draw uniform in [0, 1), another each time */
  fault(draw: () => number, size: Size): ClusterFault;
  readonly plan?: Partial<ClusterInput>;
}

interface Size {
  readonly ranks: number;
  readonly nodes: number;
}

const at = { step: BEFORE } as const;
const whole = (draw: () => number, most: number): number => Math.floor(draw() * most);
const between = (draw: () => number, least: number, most: number): number => least + draw() * (most - least);

function silent(name: string, sigma: number, share: number, within: number, runs: number): Scenario {
  return {
    name,
    group: "silent-error",
    runs,
    fleet: false,
    within,
    needs: "alarm",
    fault: (draw, { ranks }) => ({ kind: "silent-error", ...at, rank: whole(draw, ranks), sigma, share }),
  };
}

function slow(name: string, fleet: boolean, fault: Scenario["fault"], plan: Partial<ClusterInput> = {}): Scenario {
  return { name, group: "fail-slow", runs: fleet ? 8 : 16, fleet, within: 30, needs: "alarm", fault, plan };
}

function onNode(name: string, fault: Scenario["fault"]): Scenario {
  return { name, group: "node", runs: 10, fleet: true, within: 30, needs: "alarm", fault };
}

function learning(name: string, fault: Scenario["fault"], over: Partial<Scenario> = {}): Scenario {
  return { name, group: "learning", runs: 10, fleet: false, within: 60, needs: "alarm", fault, ...over };
}

/** What is injected: kind, size, share of steps, place. */
export const SCENARIOS: readonly Scenario[] = [
  silent("silent error 3 σ", 3, 1, 100, 24),
  silent("silent error 5 σ", 5, 1, 100, 48),
  silent("silent error 8 σ", 8, 1, 100, 48),
  silent("silent error 5 σ on 50 % of steps", 5, 0.5, 200, 24),
  silent("silent error 5 σ on 30 % of steps", 5, 0.3, 300, 48),
  silent("silent error 8 σ on 30 % of steps", 8, 0.3, 300, 24),
  silent("rare error 40 σ on 1 % of steps", 40, 0.01, 1_500, 10),
  {
    ...silent("silent error 3 σ, parameter hashes differ", 3, 1, 100, 10),
    fault: (draw, { ranks }) => ({ kind: "silent-error", ...at, rank: whole(draw, ranks), sigma: 3, hash: 1 }),
  },
  {
    ...silent("recompute fingerprints differ", 0.1, 1, 100, 10),
    fault: (draw, { ranks }) => ({ kind: "silent-error", ...at, rank: whole(draw, ranks), sigma: 0.1, recompute: 1 }),
  },
  {
    ...silent("a replica's parameters differ", 0, 1, 100, 10),
    fault: (draw, { ranks }) => ({ kind: "replica-drift", ...at, rank: whole(draw, ranks) }),
  },
  slow("slow GPU, 25 to 60 %", false, (draw, { ranks }) => ({
    kind: "straggler",
    ...at,
    rank: whole(draw, ranks),
    factor: between(draw, 1.25, 1.6),
  })),
  slow("slow node, 25 to 60 %", false, (draw, { nodes }) => ({
    kind: "straggler",
    ...at,
    node: whole(draw, nodes),
    factor: between(draw, 1.25, 1.6),
  })),
  slow("last stage, 25 to 60 %", false, (draw) => ({ kind: "last-stage", ...at, factor: between(draw, 1.25, 1.6) }), {
    layout: { tp: 4, pp: 2 },
  }),
  slow("uneven sequence lengths", false, (draw) => ({ kind: "sequence-imbalance", ...at, spread: between(draw, 0.6, 1) })),
  slow("slow data, 20 to 60 % of a step", false, (draw) => ({ kind: "data-slow", ...at, factor: between(draw, 1.2, 1.6) })),
  slow("slow NVLink, 15 to 40 % left", true, (draw, { ranks }) => ({
    kind: "link-slow",
    ...at,
    rank: whole(draw, ranks),
    link: whole(draw, 18),
    left: between(draw, 0.15, 0.4),
  })),
  slow("erring port, steps 15 to 40 % longer", true, (draw, { nodes }) => ({
    kind: "port-errors",
    ...at,
    node: whole(draw, nodes),
    port: whole(draw, 8),
    factor: between(draw, 1.15, 1.4),
  })),
  slow("throttled GPU", true, (draw, { ranks }) => ({
    kind: "thermal",
    ...at,
    rank: whole(draw, ranks),
    factor: between(draw, 1.25, 1.6),
  })),
  onNode("NVLink errors", (draw, { ranks }) => ({ kind: "link-errors", ...at, rank: whole(draw, ranks), link: whole(draw, 18) })),
  onNode("NVLink down", (draw, { ranks }) => ({ kind: "link-down", ...at, rank: whole(draw, ranks), link: whole(draw, 18) })),
  onNode("port down", (draw, { nodes }) => ({ kind: "port-down", ...at, node: whole(draw, nodes), port: whole(draw, 8) })),
  onNode("port errors", (draw, { nodes }) => ({ kind: "port-errors", ...at, node: whole(draw, nodes), port: whole(draw, 8) })),
  onNode("uncorrected memory error", (draw, { ranks }) => ({ kind: "ecc", ...at, rank: whole(draw, ranks), uncorrected: 1 })),
  onNode("memory error, row remap, lost GPU", (draw, { ranks }) => ({ kind: "ecc-chain", ...at, rank: whole(draw, ranks) })),
  onNode("GPU off the bus (XID 79)", (draw, { ranks }) => ({ kind: "xid", ...at, rank: whole(draw, ranks) })),
  onNode("overheated GPU", (draw, { ranks }) => ({ kind: "thermal", ...at, rank: whole(draw, ranks), factor: 1.3, celsius: 28 })),
  { ...onNode("lost node", (draw, { nodes }) => ({ kind: "lost-node", ...at, node: whole(draw, nodes) })), runs: 24 },
  { ...onNode("hang", (draw, { ranks }) => ({ kind: "hang", ...at, rank: whole(draw, ranks) })), group: "stall", runs: 12 },
  learning("NaN of one rank first", (draw, { ranks }) => ({ kind: "nan", ...at, rank: whole(draw, ranks) })),
  learning("bad batch", () => ({ kind: "bad-batch", ...at, factor: 1.6 }), { needs: "note" }),
  learning("learning rate 5 times", () => ({ kind: "lr-bug", ...at, factor: 5 })),
  learning("learning rate begins anew after a restart", () => ({ kind: "resume-learning-rate", ...at })),
  learning("data order begins anew after a restart", () => ({ kind: "resume-data-order", ...at, shift: 0.25 })),
  learning("loss scale collapses", () => ({ kind: "loss-scale-collapse", ...at })),
  learning("jitter", () => ({ kind: "jitter", ...at, share: 0.15, factor: 1.5 }), { within: 500 }),
  learning("expert imbalance", () => ({ kind: "expert-imbalance", ...at }), { plan: { layout: { tp: 4, pp: 1, ep: 4 } } }),
  learning("checkpoints fail", () => ({ kind: "checkpoint-fails", ...at }), { within: 220 }),
];

/** Fault-free runs with what healthy runs have (detection.md G.3). */
export const NULLS: readonly { readonly name: string; readonly steps: number; readonly plan: Partial<ClusterInput> }[] = [
  { name: "t4, standing offsets, sequence lengths", steps: 10_000, plan: {} },
  { name: "offsets of 3 σ", steps: 2_500, plan: { noise: { offset: 3 } } },
  { name: "outliers of the data four times as often", steps: 2_500, plan: { noise: { outlierEvery: 160 } } },
  { name: "sequence lengths that vary twice as much", steps: 2_500, plan: { sequenceSpread: 0.3 } },
  { name: "pace that swings by 2 % over a day", steps: 2_500, plan: { diurnal: 0.02 } },
  { name: "2 % of rank-steps missing", steps: 2_500, plan: { missing: 0.02 } },
  { name: "loss printed to 1/64", steps: 2_500, plan: { lossGrid: 1 / 64 } },
  {
    name: "clocks off by seconds",
    steps: 2_500,
    plan: { clockSkewMs: 4_000, faults: [{ kind: "clock-off", step: 300, node: 2, offS: 120 }] },
  },
  {
    name: "restarts",
    steps: 2_500,
    plan: { faults: [400, 1_100, 1_900].map((step): ClusterFault => ({ kind: "restart", step, downtimeS: 120 })) },
  },
];

/** Layouts take turns from seed to seed: 16 nodes, so cohorts of 16, 16, 32 and 8. */
export const LAYOUTS = [
  { tp: 8, pp: 1 },
  { tp: 4, pp: 2 },
  { tp: 4, pp: 1 },
  { tp: 4, pp: 4 },
] as const;

/** A cluster of 16 nodes that takes 3 s a step. */
export function clusterPlan(seed: number, plan: Partial<ClusterInput> = {}, steps: number = BEFORE + 200): ClusterInput {
  return {
    seed,
    nodes: 16,
    layout: LAYOUTS[seed % LAYOUTS.length] ?? LAYOUTS[0],
    ...plan,
    run: { steps, stepTimeS: 3, checkpointEvery: 100, warmupSteps: 100, ...plan.run },
  };
}

/** Causes that are right where more than one is: what a fault does to a node and what it does to a link are two words for one cable. */
export const ALSO_RIGHT: Partial<Record<ClusterTruth["kind"], readonly string[]>> = {
  "link-down": ["network", "hardware"],
  "lost-node": ["hardware", "network"],
  // Why a rank never ends its step nobody can tell from outside.
  hang: [],
};
