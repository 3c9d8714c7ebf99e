import type { FleetColumn, FleetTick } from "../contract.ts";
import { columnOf, readingOf } from "./rows.ts";

/** Activity of a GPU as a share of time, by the sources that say so, the surest first; with what their values are divided by. */
const ACTIVITY = [
  { field: "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", scale: 1 },
  { field: "DCGM_FI_DEV_GPU_UTIL_RATIO", scale: 100 },
  { field: "nvidia_smi_utilization_gpu_ratio", scale: 1 },
] as const;

export const ACTIVITY_FIELDS: readonly string[] = ACTIVITY.map(({ field }) => field);

/** Share of time that a GPU works now, 0 to 1; null where nobody says. */
export function activityOf(tick: FleetTick, gpu: string): number | null {
  for (const { field, scale } of ACTIVITY) {
    const value = readingOf(columnOf(tick, field), tick, gpu);
    if (value !== null) return value / scale;
  }
  return null;
}

/** The column that says the most of activity, and what its values are divided by. */
export function activityColumn(tick: FleetTick): { readonly column: FleetColumn; readonly scale: number } | null {
  let best: { readonly column: FleetColumn; readonly scale: number; readonly read: number } | null = null;
  for (const { field, scale } of ACTIVITY) {
    const column = columnOf(tick, field);
    if (column === null) continue;
    const read = column.has.reduce((sum, has) => sum + Number(has === 1), 0);
    if (read > 0 && (best === null || read > best.read)) best = { column, scale, read };
  }
  return best;
}
