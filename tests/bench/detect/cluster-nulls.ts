import { simulateCluster, simulateFleet } from "@trainwatch/simulate";
import type { FleetFault } from "@trainwatch/simulate";
import { createFleetWatch, FLEET_TICK_MS } from "@trainwatch/detect";
import { alarmsPer10kUpperBound, poissonUpperBound } from "@trainwatch/stats";
import { FleetTicks } from "./fleet-ticks.ts";
import { NULLS, clusterPlan } from "./scenarios.ts";
import { watchCluster } from "./watch-cluster.ts";

/** Seeds of the fault-free runs. */
export const NULL_SEED = 61_000;

export interface ClusterNullLine extends Readonly<Record<string, string | number>> {
  readonly null: string;
  readonly steps: number;
  readonly "rank samples": number;
  readonly notes: number;
  readonly alarms: number;
  readonly "at most per 10k steps (95 %)": number;
  readonly "said by": string;
}

/** Fault-free cluster runs of 128 ranks through all detectors of the run, its ranks and the clock. An alarm is a warning or worse. */
export function clusterNulls(): readonly ClusterNullLine[] {
  return NULLS.map(({ name, steps, plan }, index) => {
    const { said, steps: seen, rankSamples } = watchCluster(simulateCluster(clusterPlan(NULL_SEED + index, plan, steps)), { fleet: false });
    const alarms = said.filter(({ first }) => first.severity !== "info");
    return {
      null: name,
      steps: seen,
      "rank samples": rankSamples,
      notes: said.length - alarms.length,
      alarms: alarms.length,
      "at most per 10k steps (95 %)": round(alarmsPer10kUpperBound(alarms.length, seen)),
      "said by": [...new Set(alarms.map(({ first }) => first.detector))].join(", "),
    };
  });
}

export interface SimulatedFleetLine extends Readonly<Record<string, string | number>> {
  readonly null: string;
  readonly nodes: number;
  readonly hours: number;
  readonly notes: number;
  readonly alarms: number;
  readonly "at most a day and 1,000 nodes (95 %)": number;
  readonly "said by": string;
}

const NODES = 16;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5, 8);
/** What fleets do without a fault: exporters restart and are upgraded, one has few fields, a GPU is exchanged, indices change, clocks are off, blank values are sent. */
const LIFE: readonly FleetFault[] = [
  { kind: "exporter-restart", node: 1, atMs: START_MS + 10 * 60_000 },
  { kind: "exporter-restart", node: 1, atMs: START_MS + 31 * 60_000 },
  { kind: "exporter-upgrade", node: 2, atMs: START_MS + 15 * 60_000 },
  { kind: "default-fields", node: 3, atMs: START_MS },
  { kind: "clock-off", node: 4, atMs: START_MS + 5 * 60_000, seconds: -70 },
  {
    kind: "sentinel",
    node: 5,
    gpu: 2,
    atMs: START_MS + 20 * 60_000,
    untilMs: START_MS + 25 * 60_000,
    field: "DCGM_FI_DEV_GPU_TEMP",
    text: "4294967295",
  },
  {
    kind: "sentinel",
    node: 6,
    gpu: 3,
    atMs: START_MS + 20 * 60_000,
    untilMs: START_MS + 25 * 60_000,
    field: "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
    text: "9223372036854775794",
  },
  { kind: "exporter-silent", node: 7, atMs: START_MS + 12 * 60_000, untilMs: START_MS + 12 * 60_000 + 15_000 },
];

/** Fault-free fleets: their natures, noise and jobs; and what happens to exporters in ordinary life. */
export function simulatedFleetNulls(hours: number): readonly SimulatedFleetLine[] {
  return [
    fleetNull("a job on 16 nodes", [], hours, NULL_SEED + 100),
    fleetNull("exporters restart, change and blank", LIFE, Math.min(1, hours), NULL_SEED + 101),
  ];
}

function fleetNull(name: string, faults: readonly FleetFault[], hours: number, seed: number): SimulatedFleetLine {
  const fleet = simulateFleet({ nodes: NODES, seed, startMs: START_MS, faults });
  const ticks = new FleetTicks(fleet, "bench/null", []);
  const watch = createFleetWatch({});
  const alarms = new Map<string, string>();
  const notes = new Set<string>();
  for (let timeMs = START_MS; timeMs < START_MS + hours * HOUR_MS; timeMs += FLEET_TICK_MS)
    for (const { id, severity, detector } of watch.tick(ticks.at(timeMs))) {
      if (severity === "info") notes.add(id);
      else alarms.set(id, detector);
    }
  return {
    null: name,
    nodes: NODES,
    hours,
    notes: notes.size,
    alarms: alarms.size,
    "at most a day and 1,000 nodes (95 %)": round((poissonUpperBound(alarms.size) * 24_000) / (hours * NODES)),
    "said by": [...new Set(alarms.values())].join(", "),
  };
}

const round = (value: number): number => Number(value.toPrecision(3));
