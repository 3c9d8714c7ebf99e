import { GPU_FIELDS } from "./gpu-fields.ts";
import { completeFleetPlan } from "./fleet-plan.ts";
import type { FleetInput } from "./fleet-plan.ts";
import { GPU_VALUES, fillGpu } from "./gpu-values.ts";
import { momentOf } from "./node-state.ts";
import { fleetStates } from "./simulate-fleet.ts";

/** Values of a node's GPUs without their names: cheap enough to feed a bench. */
export interface FleetValues {
  /** Names of the 30 fields of a GPU as dcgm-exporter has always called them, in the order of the values. */
  readonly fields: readonly string[];
  /** Values a row: fields × GPUs a node, metric by metric as an exporter writes them (place = field · GPUs + index). */
  readonly width: number;
  /** UUIDs of a node's GPUs by index. */
  gpus(node: number): readonly string[];
  /** The readings of a node at a time to `out[at]` and on; every GPU has all of them, whatever faults the plan has. Writes `width` numbers. */
  fill(out: Float64Array, at: number, node: number, timeMs: number): void;
}

/**
 * For benches and large fixtures: rows of 8 GPUs × 30 metrics with the same noise, counters and states as `simulateFleet` of the same plan
 * exposes as text, without a string a reading. Times may come in any order. Fill a few thousand rows before the clock of a bench starts where
 * even the making of values would be measured.
 * @throws AppError `bad-request` naming what cannot be simulated
 */
export function fleetValues(input: FleetInput): FleetValues {
  const plan = completeFleetPlan(input);
  const states = fleetStates(plan);
  const { gpusPerNode } = plan;
  const row = new Float64Array(GPU_VALUES);
  const stateOf = (node: number): (typeof states)[number] => {
    const state = states[node];
    if (state === undefined) throw new RangeError(`the fleet has ${plan.nodes} nodes and none with number ${node}`);
    return state;
  };
  return {
    fields: GPU_FIELDS.map(({ classic }) => classic),
    width: GPU_VALUES * gpusPerNode,
    gpus(node) {
      const { chips } = momentOf(stateOf(node), plan.startMs).boot;
      return chips.map(({ uuid }) => uuid);
    },
    fill(out, at, node, timeMs) {
      const moment = momentOf(stateOf(node), timeMs);
      for (const [index, slot] of moment.boot.slots.entries()) {
        fillGpu(row, 0, moment, slot);
        for (let place = 0; place < GPU_VALUES; place++) out[at + place * gpusPerNode + index] = row[place] ?? 0;
      }
    },
  };
}
