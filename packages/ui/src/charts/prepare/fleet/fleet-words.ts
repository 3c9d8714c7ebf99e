import { READING_STATES, type FleetFrame, type FleetLayout, type FleetMetricView, type ReadingState } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import { formatCompact, formatCount, formatFixed, formatInteger, MISSING_QUANTITY, type Quantity } from "../../../format/index.ts";
import type { FleetCells } from "./cells.ts";

/** What a cell's state is called where it has no value. */
export const STATE_WORDS = {
  ok: "reading",
  none: "no data",
  stale: "stale",
  invalid: "not a reading",
  "non-finite": "not finite",
} as const satisfies Record<ReadingState, string>;

/** `c11-n07 GPU 3`; without an index the last part of its UUID. */
export function gpuTitle(layout: FleetLayout, gpu: number): string {
  const host = layout.nodes[layout.gpu.node[gpu] ?? -1]?.host ?? "";
  const id = layout.gpu.id[gpu] ?? "";
  const index = layout.gpu.index[gpu] ?? null;
  const instance = /\/mig\/(.+)$/.exec(id)?.[1];
  const slot = index === null ? id.slice(0, 12) : `GPU ${index}${instance === undefined ? "" : ` MIG ${instance}`}`;
  return host === "" ? slot : `${host} ${slot}`;
}

export type MetricWords = Pick<FleetMetricView, "unit" | "digits">;

/** Rates and bytes reach billions: from a million on three digits and a word. */
export function fleetQuantity(value: number | null | undefined, { unit, digits }: MetricWords, isRate = false): Quantity {
  if (value === null || value === undefined || Number.isNaN(value)) return MISSING_QUANTITY;
  const perSecond = isRate && !unit.endsWith("/s") ? `${unit}/s` : unit;
  const larger = isRate || Math.abs(value) < 1e6 ? undefined : LARGER[unit];
  if (larger !== undefined) return fleetQuantity(value / larger.by, { unit: larger.unit, digits: 1 });
  if (/^B(\/|$)/.test(unit)) return byteQuantity(value, perSecond);
  if (Math.abs(value) >= 1e6) return formatCompact(value, perSecond);
  const shownDigits = value !== 0 && Math.abs(value) < 10 ** -digits ? 3 : digits;
  return { text: formatFixed(value, shownDigits), unit: perSecond };
}

/** What a field counts in its source's small unit is read in a larger one: 456 s, and not 456 thousand million ns. */
const LARGER: Readonly<Record<string, { readonly by: number; readonly unit: string }>> = {
  ns: { by: 1e9, unit: "s" },
  us: { by: 1e6, unit: "s" },
  mJ: { by: 1e9, unit: "MJ" },
};

const BYTE_PREFIXES = ["", "k", "M", "G", "T", "P"] as const;

/** Bytes take the prefixes of their field: 24.1 GB/s, where "B" for a thousand millions would read as bytes. */
function byteQuantity(value: number, unit: string): Quantity {
  const power = Math.min(BYTE_PREFIXES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  const scaled = value / 1000 ** power;
  return { text: formatFixed(scaled, power === 0 || Math.abs(scaled) >= 100 ? 0 : 1), unit: `${BYTE_PREFIXES[power] ?? ""}${unit}` };
}

/** Errors per second: one in five minutes is 0.0033 and must not read as none. */
export function errorRateText(perS: number): string {
  if (perS === 0 || perS >= 10) return formatFixed(perS, 0);
  return formatFixed(perS, perS >= 1 ? 1 : Math.min(6, 1 - Math.floor(Math.log10(perS))));
}

export function quantityText({ text, unit }: Quantity): string {
  return unit === "" ? text : `${text} ${unit}`;
}

export interface FleetSummaryInput {
  readonly layout: FleetLayout;
  readonly frame: FleetFrame;
  readonly metric: Pick<FleetMetricView, "title" | "unit" | "digits">;
  readonly cells: FleetCells;
  /** When it is shown as at, in words. */
  readonly at: string;
}

/** What the map says, for those who do not see it. */
export function fleetSummary({ layout, frame, metric, cells, at }: FleetSummaryInput): string {
  const head = `${metric.title} of ${formatCount(layout.gpu.id.length, "GPU")} on ${formatCount(layout.nodes.length, "node")}, ${at}.`;
  const values: number[] = [];
  let highest = -1;
  let lowest = -1;
  frame.values.forEach((value, gpu) => {
    if (value === null || READING_STATES[frame.states[gpu] ?? 1] !== "ok") return;
    values.push(value);
    if (highest < 0 || value > (frame.values[highest] ?? value)) highest = gpu;
    if (lowest < 0 || value < (frame.values[lowest] ?? value)) lowest = gpu;
  });
  const say = (value: number | null | undefined): string => quantityText(fleetQuantity(value, metric));
  const range =
    values.length === 0
      ? "Not one reading."
      : `Median ${say(median(values))}; highest ${say(frame.values[highest])} on ${gpuTitle(layout, highest)}, lowest ${say(frame.values[lowest])} on ${gpuTitle(layout, lowest)}.`;
  const missing = READING_STATES.flatMap((state, code) => {
    const count = cells.counts[code] ?? 0;
    return state === "ok" || count === 0 ? [] : [`${STATE_WORDS[state]}: ${formatInteger(count)}`];
  });
  const cordoned = layout.nodes.filter((node) => node.cordoned !== null).length;
  return [
    head,
    range,
    missing.length === 0 ? "" : `${missing.join(", ")}.`,
    cordoned === 0 ? "" : `${formatCount(cordoned, "node")} cordoned.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
