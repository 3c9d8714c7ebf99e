import type { FrameSeries } from "@trainwatch/core";
import { dcgmTable, dcgmValues, dcgmVersion } from "./dcgm-exporter.ts";
import { completeFleetPlan } from "./fleet-plan.ts";
import type { FleetInput, FleetPlan } from "./fleet-plan.ts";
import { truthOf } from "./fleet-truth.ts";
import type { FleetTruth } from "./fleet-truth.ts";
import { MODEL, bootAt, pciBusId } from "./inventory.ts";
import { phasesOfRun, steadyPhases } from "./job-phase.ts";
import { kernelLog } from "./kernel-log.ts";
import type { KernelLine } from "./kernel-log.ts";
import { loadCurve } from "./load-curve.ts";
import { hostTable, hostValues } from "./node-exporter.ts";
import { answers, clockAt, momentOf, nodeState } from "./node-state.ts";
import type { NodeMoment, NodeState } from "./node-state.ts";
import { rankAssignments } from "./rank-assignments.ts";
import type { RankAssignment } from "./rank-assignments.ts";
import { expositionText } from "./series-table.ts";
import type { SeriesTable } from "./series-table.ts";

export interface SimulatedFleet {
  readonly plan: FleetPlan;
  readonly nodes: readonly SimulatedNode[];
  /** One a fault, in the plan's order. */
  readonly truth: readonly FleetTruth[];
  /** Which rank of the run sits where from a time on; empty without a run. */
  assignments(fromMs: number): readonly RankAssignment[];
}

export const EXPORTERS = ["dcgm", "node"] as const;
export type ExporterName = (typeof EXPORTERS)[number];

/** What one scrape of an exporter gives. */
export interface SimulatedScrape {
  /** Equal text: the same series in the same order. */
  readonly version: string;
  readonly series: readonly FrameSeries[];
  /** One a series; bit for bit what a reader of the text gets. */
  readonly values: Float64Array;
}

export interface SimulatedGpu {
  readonly slot: number;
  /** As the driver counts at that time. */
  readonly index: number;
  readonly uuid: string;
  readonly serial: string;
  readonly model: string;
  readonly pciBusId: string;
}

/** A node, to be read at any time (epoch ms, by the true clock) and in any order. */
export interface SimulatedNode {
  readonly index: number;
  readonly host: string;
  readonly rack: string;
  readonly machineId: string;
  /** In the order of the index. */
  gpusAt(timeMs: number): readonly SimulatedGpu[];
  bootIdAt(timeMs: number): string;
  /** What the node's own clock says then. */
  clockAt(timeMs: number): number;
  /** Null while the exporter does not answer. */
  scrape(exporter: ExporterName, timeMs: number): SimulatedScrape | null;
  /** The same as exposition text, as dcgm-exporter and node_exporter write it. */
  text(exporter: ExporterName, timeMs: number): string | null;
  /** Lines of [fromMs, toMs) in order of time. */
  kernelLog(fromMs: number, toMs: number): readonly KernelLine[];
}

/**
 * A fleet whose GPUs do what a simulated run asks of them, and go wrong as the plan says. Nothing is stored and nothing runs: every reading is
 * a function of the plan, the node and the time.
 * @throws AppError `bad-request` naming what cannot be simulated
 */
export function simulateFleet(input: FleetInput): SimulatedFleet {
  const plan = completeFleetPlan(input);
  const states = fleetStates(plan);
  return {
    plan,
    nodes: states.map(simulatedNode),
    truth: plan.faults.flatMap((fault) => {
      const state = states[fault.node];
      return state === undefined ? [] : [truthOf(fault, state)];
    }),
    assignments: (fromMs) =>
      rankAssignments(
        plan,
        states.map(({ identity }) => identity),
        fromMs,
      ),
  };
}

const STEADY_BEFORE_MS = 7_200_000;

export function fleetStates(plan: FleetPlan): readonly NodeState[] {
  const phases = plan.run === null ? steadyPhases(plan.startMs - STEADY_BEFORE_MS) : phasesOfRun(plan.run.plan, plan.run.events?.());
  const curves = { job: loadCurve(phases), idle: loadCurve([][Symbol.iterator]()) };
  return Array.from({ length: plan.nodes }, (_, index) => nodeState(plan, index, curves));
}

function simulatedNode(state: NodeState): SimulatedNode {
  const { index, host, rack, machineId } = state.identity;
  const tables = new Map<ExporterName, SeriesTable>();
  const tableOf = (exporter: ExporterName, moment: NodeMoment): SeriesTable => {
    const known = tables.get(exporter);
    if (known !== undefined && (exporter === "node" || known.version === dcgmVersion(moment))) return known;
    const table = exporter === "node" ? hostTable(moment) : dcgmTable(moment);
    tables.set(exporter, table);
    return table;
  };
  const read = (exporter: ExporterName, timeMs: number): { readonly table: SeriesTable; readonly values: Float64Array } | null => {
    if (!answers(state, timeMs)) return null;
    const moment = momentOf(state, timeMs);
    const table = tableOf(exporter, moment);
    return { table, values: exporter === "node" ? hostValues(moment) : dcgmValues(moment, table) };
  };
  return {
    index,
    host,
    rack,
    machineId,
    gpusAt(timeMs) {
      const { slots, chips } = bootAt(state.identity, timeMs);
      return slots.flatMap((slot, place) => {
        const chip = chips[slot];
        return chip === undefined
          ? []
          : [{ slot, index: place, uuid: chip.uuid, serial: chip.serial, model: MODEL, pciBusId: pciBusId(slot) }];
      });
    },
    bootIdAt: (timeMs) => bootAt(state.identity, timeMs).bootId,
    clockAt: (timeMs) => clockAt(state, timeMs),
    scrape(exporter, timeMs) {
      const got = read(exporter, timeMs);
      return got === null ? null : { version: got.table.version, series: got.table.series, values: got.values };
    },
    text(exporter, timeMs) {
      const got = read(exporter, timeMs);
      return got === null ? null : expositionText(got.table, got.values);
    },
    kernelLog: (fromMs, toMs) => kernelLog(state, fromMs, toMs),
  };
}
