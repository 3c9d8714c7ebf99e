import type { FleetField } from "../field.ts";
import { AGENT_FIELDS } from "./agent.ts";
import { DCGM_DEVICE_FIELDS } from "./dcgm-device.ts";
import { DCGM_ERROR_FIELDS } from "./dcgm-errors.ts";
import { DCGM_FABRIC_FIELDS } from "./dcgm-fabric.ts";
import { DCGM_NVLINK_FIELDS } from "./dcgm-nvlink.ts";
import { DCGM_PROFILING_FIELDS } from "./dcgm-profiling.ts";
import { INFINIBAND_FIELDS } from "./infiniband.ts";
import { NODE_EXPORTER_FIELDS } from "./node-exporter.ts";
import { NVIDIA_SMI_FIELDS } from "./nvidia-smi.ts";

/** Every field that Trainwatch understands. The catalogue decides how values are read, never an exporter's TYPE line. */
export const FLEET_FIELDS: readonly FleetField[] = [
  ...DCGM_DEVICE_FIELDS,
  ...DCGM_PROFILING_FIELDS,
  ...DCGM_ERROR_FIELDS,
  ...DCGM_NVLINK_FIELDS,
  ...DCGM_FABRIC_FIELDS,
  ...NVIDIA_SMI_FIELDS,
  ...INFINIBAND_FIELDS,
  ...NODE_EXPORTER_FIELDS,
  ...AGENT_FIELDS,
];

const BY_NAME: ReadonlyMap<string, FleetField> = new Map(
  FLEET_FIELDS.flatMap((field) => [field.name, ...field.aliases].map((name) => [name, field] as const)),
);

/** The field that a source calls so, under its newest or an older name; null: Trainwatch gives it no meaning. */
export function fieldOf(name: string): FleetField | null {
  return BY_NAME.get(name) ?? null;
}

/** Our name of a metric: the newest one of its field, or the source's own. */
export function metricName(name: string): string {
  return BY_NAME.get(name)?.name ?? name;
}

/** Link number in a field name that DCGM gives each link apart, such as `DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_L5` or `DCGM_FI_PROF_NVLINK_L5_TX_BYTES`. */
export function linkInName(name: string): number | null {
  const found = /_L(\d{1,2})(?:_|$)/.exec(name);
  return found?.[1] === undefined || !name.includes("NVLINK") || fieldOf(name)?.entity !== "link" ? null : Number(found[1]);
}

/**
 * Whether a finite value is a reading of its field: no sentinel, and within its bounds (E5). NaN and infinities are not asked here: a source
 * has sent them, and they are told apart.
 */
export function isReading(field: FleetField, value: number): boolean {
  if (field.min !== null && value < field.min) return false;
  if (field.max !== null && value > field.max) return false;
  const least = field.sentinels[0];
  return least === undefined || value < least || !field.sentinels.includes(value);
}
