import { READING_STATES, type FleetFrame, type FleetLayout, type FleetMetricView, type ReadingState } from "@trainwatch/core";
import { peerScale } from "@trainwatch/stats";
import { linearTickValues } from "../ticks.ts";
import { SCALE_STEPS } from "./viridis.ts";

/** `absolute`: the value on the catalogue's scale. `peers`: how far from the median of the GPUs of its model, in robust deviations. */
export const FLEET_SCALES = ["absolute", "peers"] as const;
export type FleetScaleKind = (typeof FLEET_SCALES)[number];

export interface FleetScale {
  readonly kind: FleetScaleKind;
  readonly low: number;
  readonly high: number;
  /** Where the ends come from: the catalogue, or the lowest and highest value now. */
  readonly from: "catalogue" | "data";
  readonly ticks: readonly number[];
}

/** What is painted, a place a GPU in the layout's order. */
export interface FleetCells {
  readonly scale: FleetScale;
  /** Step of the scale, 0 to `SCALE_STEPS` − 1; 255 where the state says why there is none. */
  readonly step: Uint8Array;
  /** Index into `READING_STATES`. */
  readonly state: Uint8Array;
  /** What the step stands for: the value, or the deviation from its peers; NaN where there is none. */
  readonly shown: Float64Array;
  /** Cells in each state, in the order of `READING_STATES`. */
  readonly counts: readonly number[];
  /** Cells in each of `DISTRIBUTION_BINS` equal parts of the scale; what lies beyond counts at its end. */
  readonly distribution: readonly number[];
  /** Values that lie beyond an end of the scale. */
  readonly beyond: { readonly low: number; readonly high: number };
}

export const DISTRIBUTION_BINS = 40;
export const NO_STEP = 255;
/** Robust deviations at the ends of the peer scale: |z| of 6 never comes by chance on a fleet of 100,000. */
const PEER_RANGE = 6;

export interface CellsInput {
  readonly layout: FleetLayout;
  readonly frame: FleetFrame;
  readonly metric: Pick<FleetMetricView, "domain" | "digits">;
  readonly kind: FleetScaleKind;
  /** Ends that hold over all frames of a play, so that colours do not change their meaning from one to the next. */
  readonly ends?: readonly [number, number] | undefined;
}

export function prepareCells({ layout, frame, metric, kind, ends }: CellsInput): FleetCells {
  const size = layout.gpu.id.length;
  const state = Uint8Array.from({ length: size }, (_, gpu) => frame.states[gpu] ?? stateCode("none"));
  const values = Float64Array.from({ length: size }, (_, gpu) => (state[gpu] === OK ? (frame.values[gpu] ?? Number.NaN) : Number.NaN));
  const shown = kind === "peers" ? peerDeviations(values, layout, metric.digits) : values;
  const scale = scaleOf(shown, kind, ends ?? metric.domain, (ends ?? null) !== null && metric.domain === null ? "data" : "catalogue");
  const step = new Uint8Array(size).fill(NO_STEP);
  const counts = READING_STATES.map(() => 0);
  const distribution = Array.from({ length: DISTRIBUTION_BINS }, () => 0);
  const beyond = { low: 0, high: 0 };
  for (let gpu = 0; gpu < size; gpu++) {
    counts[state[gpu] ?? 0] = (counts[state[gpu] ?? 0] ?? 0) + 1;
    const value = shown[gpu] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const share = (value - scale.low) / (scale.high - scale.low);
    if (share < 0) beyond.low++;
    if (share > 1) beyond.high++;
    const inside = Math.min(1, Math.max(0, share));
    step[gpu] = Math.min(SCALE_STEPS - 1, Math.floor(inside * SCALE_STEPS));
    const bin = Math.min(DISTRIBUTION_BINS - 1, Math.floor(inside * DISTRIBUTION_BINS));
    distribution[bin] = (distribution[bin] ?? 0) + 1;
  }
  return { scale, step, state, shown, counts, distribution, beyond };
}

const OK = stateCode("ok");

export function stateCode(state: ReadingState): number {
  return READING_STATES.indexOf(state);
}

function scaleOf(
  shown: Float64Array,
  kind: FleetScaleKind,
  domain: readonly [number, number] | null,
  from: FleetScale["from"],
): FleetScale {
  if (kind === "peers") {
    return { kind, low: -PEER_RANGE, high: PEER_RANGE, from: "data", ticks: [-6, -3, 0, 3, 6] };
  }
  if (domain !== null) {
    const [low, high] = domain;
    return { kind, low, high, from, ticks: linearTickValues(low, high, 4) };
  }
  const { low, high } = endsOf([shown]);
  return { kind, low, high, from: "data", ticks: linearTickValues(low, high, 4) };
}

/** Lowest and highest of some columns; a scale needs a width, and counts begin at zero. */
export function endsOf(columns: readonly ArrayLike<number | null>[]): { readonly low: number; readonly high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (let index = 0; index < column.length; index++) {
      const value = column[index];
      if (value === null || value === undefined || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return { low: 0, high: 1 };
  if (low > 0 && low < high / 2) low = 0;
  return high > low ? { low, high } : { low: low > 0 ? 0 : low, high: high > 0 ? high : low + 1 };
}

/** Deviation of each value from the GPUs of its model, on their `peerScale`. */
export function peerDeviations(values: Float64Array, layout: FleetLayout, digits: number): Float64Array {
  const byModel = new Map<number, number[]>();
  layout.gpu.model.forEach((model, gpu) => {
    if (Number.isNaN(values[gpu])) return;
    const known = byModel.get(model);
    if (known === undefined) byModel.set(model, [gpu]);
    else known.push(gpu);
  });
  const deviations = new Float64Array(values.length).fill(Number.NaN);
  for (const gpus of byModel.values()) {
    const own = gpus.map((gpu) => values[gpu] ?? Number.NaN);
    const scale = peerScale(own, 10 ** -digits);
    if (scale === null) continue;
    gpus.forEach((gpu, at) => (deviations[gpu] = ((own[at] ?? Number.NaN) - scale.centre) / scale.sigma));
  }
  return deviations;
}
