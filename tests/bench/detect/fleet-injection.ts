// What the fleet detectors find of faults put into a synthetic fleet, how soon, and what else they say.
import type { Finding } from "@trainwatch/core";
import { createFleetWatch } from "@trainwatch/detect";
import { median, seededRandom, wilsonInterval } from "@trainwatch/stats";
import { FleetWorld, GPUS, LINKS, START_MS, gpuIdOf, nodeIdOf } from "./fleet-world.ts";
import type { WorldFault } from "./fleet-world.ts";

interface FaultKind {
  readonly kind: string;
  readonly size: number;
  /** Detectors that may be first to tell of it. */
  readonly by: readonly string[];
}

/** Sizes are what the fault means in `fleet-world.ts`: errors a second, share missing, degrees, share of time, an XID. */
const KINDS: readonly FaultKind[] = [
  { kind: "node-lost", size: 1, by: ["lost-node"] },
  { kind: "gpu-lost", size: 1, by: ["gpu-lost"] },
  { kind: "gpu-idle", size: 1, by: ["gpu-idle"] },
  { kind: "hot", size: 25, by: ["thermal"] },
  { kind: "hot", size: 15, by: ["thermal"] },
  { kind: "thermal", size: 0.6, by: ["thermal"] },
  { kind: "thermal", size: 0.05, by: ["thermal"] },
  { kind: "clock-low", size: 0.4, by: ["clock-low"] },
  { kind: "power-brake", size: 1, by: ["power-throttle"] },
  { kind: "dbe", size: 1, by: ["ecc"] },
  { kind: "sbe", size: 2, by: ["ecc"] },
  { kind: "remap-failed", size: 1, by: ["row-remap"] },
  { kind: "pcie", size: 20, by: ["pcie"] },
  { kind: "recovery-failed", size: 1, by: ["nvlink-recovery-failed"] },
  { kind: "ber", size: 1, by: ["nvlink-ber"] },
  { kind: "link-errors", size: 0.1, by: ["nvlink-errors"] },
  { kind: "link-errors", size: 1, by: ["nvlink-errors"] },
  { kind: "link-errors", size: 150, by: ["nvlink-errors"] },
  { kind: "link-down", size: 1, by: ["nvlink-down"] },
  { kind: "link-slow", size: 0.3, by: ["nvlink-bandwidth"] },
  { kind: "link-slow", size: 0.15, by: ["nvlink-bandwidth"] },
  { kind: "gpu-slow", size: 0.2, by: ["nvlink-bandwidth"] },
  { kind: "port-down", size: 1, by: ["port-down"] },
  { kind: "port-errors", size: 5, by: ["port-errors"] },
  { kind: "xid", size: 79, by: ["xid"] },
  { kind: "xid", size: 95, by: ["xid"] },
  { kind: "xid", size: 63, by: ["xid"] },
];

const nameOf = ({ kind, size }: FaultKind): string => (size === 1 ? kind : `${kind} ${size}`);

/** Who has to tell of each, by the fault's name in the table. */
export const FLEET_FAULT_DETECTORS: ReadonlyMap<string, string> = new Map(KINDS.map((kind) => [nameOf(kind), kind.by[0] ?? ""]));

const NODES = 32;
/** Faults begin so long after the start, in seconds, and the watch ends so long after them. */
const WARM_S = 900;
const WATCH_S = 420;

export interface InjectionLine extends Readonly<Record<string, string | number>> {
  readonly fault: string;
  readonly injected: number;
  readonly found: number;
  readonly "right device": number;
  readonly "median delay, s": number;
  readonly "longest delay, s": number;
  readonly "other alarms": number;
}

export interface FleetInjection {
  readonly lines: readonly InjectionLine[];
  readonly injected: number;
  readonly precision: number;
  readonly "precision, 95 % from": number;
  readonly recall: number;
  readonly "recall, 95 % from": number;
  /** Of all that were found, seconds. */
  readonly medianDelayS: number;
  readonly shareWithinMinute: number;
  readonly lostNodeWithin30s: number;
}

/** Detectors are judged by event: a fault is found where a page or ticket of its detector names its device; anything else that is said is a false alarm. */
export function fleetInjection({ seeds = 8 }: { readonly seeds?: number } = {}): FleetInjection {
  const outcomes = KINDS.flatMap((kind, at) =>
    Array.from({ length: seeds }, (_, seed) => ({ kind, ...injectOne(kind, 1_000 * at + seed) })),
  );
  const found = outcomes.filter(({ delayS }) => delayS !== null);
  const falseAlarms = outcomes.reduce((sum, { others }) => sum + others, 0);
  const delays = found.map(({ delayS }) => delayS ?? Number.NaN);
  const lost = found.filter(({ kind }) => kind.kind === "node-lost");
  return {
    lines: KINDS.map((kind) =>
      lineOf(
        kind,
        outcomes.filter((outcome) => outcome.kind === kind),
      ),
    ),
    injected: outcomes.length,
    precision: found.length / (found.length + falseAlarms),
    "precision, 95 % from": wilsonInterval(found.length, found.length + falseAlarms).low,
    recall: found.length / outcomes.length,
    "recall, 95 % from": wilsonInterval(found.length, outcomes.length).low,
    medianDelayS: median(delays),
    shareWithinMinute: delays.filter((delay) => delay < 60).length / delays.length,
    lostNodeWithin30s: lost.filter(({ delayS }) => (delayS ?? Number.NaN) <= 30).length / Math.max(1, lost.length),
  };
}

interface Outcome {
  /** Null: not found, or another device was named. */
  readonly delayS: number | null;
  readonly isRightDevice: boolean;
  readonly others: number;
}

function injectOne({ kind, size, by }: FaultKind, seed: number): Outcome {
  const random = seededRandom(90_000 + seed);
  const from = WARM_S + Math.floor(random() * 100) / 10;
  // On a node that runs a job.
  const fault: WorldFault = {
    kind,
    size,
    node: Math.floor(random() * 0.8 * NODES),
    gpu: Math.floor(random() * GPUS),
    link: Math.floor(random() * LINKS),
    from,
    until: Number.POSITIVE_INFINITY,
  };
  const world = new FleetWorld({ nodes: NODES, seed: 500 + seed, faults: [fault], missed: 1e-5, startS: 1_500 });
  const watch = createFleetWatch({});
  const said: Finding[] = [];
  for (let tick = 0; tick * 10 <= from + WATCH_S; tick++) said.push(...watch.tick(world.tick(tick)));
  const alarms = said.filter(({ severity }) => severity !== "info");
  const own = alarms.filter((finding) => by.includes(finding.detector) && isOn(finding, fault));
  const others = new Set(alarms.filter((finding) => !isOn(finding, fault)).map(({ id }) => id));
  const first = own[0];
  const delayS = first === undefined ? null : ((first.detectedTimeMs ?? Number.NaN) - START_MS) / 1000 - from;
  return {
    delayS: delayS !== null && delayS < 0 ? null : delayS,
    isRightDevice: first !== undefined && isExactly(first, fault),
    others: others.size,
  };
}

/** About the faulty thing, its GPU or its node. */
function isOn({ subject, place }: Finding, { kind, node, gpu }: WorldFault): boolean {
  if (kind === "node-lost" || subject.kind === "port")
    return place?.nodeId === nodeIdOf(node) || subject.id.startsWith(`${nodeIdOf(node)}/`);
  return place?.gpuId === gpuIdOf(node, gpu);
}

function isExactly({ subject }: Finding, { kind, node, gpu, link }: WorldFault): boolean {
  if (kind === "node-lost") return subject.id === nodeIdOf(node);
  if (kind.startsWith("port")) return subject.id === `${nodeIdOf(node)}/port/mlx5_${gpu}:1`;
  return subject.id === (kind.startsWith("link") ? `${gpuIdOf(node, gpu)}/link/${link}` : gpuIdOf(node, gpu));
}

function lineOf(kind: FaultKind, outcomes: readonly Outcome[]): InjectionLine {
  const delays = outcomes.flatMap(({ delayS }) => delayS ?? []);
  return {
    fault: nameOf(kind),
    injected: outcomes.length,
    found: delays.length,
    "right device": outcomes.filter(({ isRightDevice }) => isRightDevice).length,
    "median delay, s": Number(median(delays).toFixed(1)),
    "longest delay, s": Number(Math.max(0, ...delays).toFixed(1)),
    "other alarms": outcomes.reduce((sum, { others }) => sum + others, 0),
  };
}

export const FLEET_GOALS = { precision: 0.95, recall: 0.9, medianDelayS: 60, lostNodeWithin30s: 0.9 } as const;

/** Whether the goals hold (detection.md L.6, L.9). */
export function fleetInjectionHolds(injection: FleetInjection): boolean {
  return (
    injection.precision >= FLEET_GOALS.precision &&
    injection.recall >= FLEET_GOALS.recall &&
    injection.medianDelayS < FLEET_GOALS.medianDelayS &&
    injection.lostNodeWithin30s >= FLEET_GOALS.lostNodeWithin30s
  );
}
