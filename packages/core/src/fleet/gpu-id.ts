import type { RawLabels } from "./series-identity.ts";

/** Labels by which exporters name a GPU: dcgm-exporter, its link metrics (E2), nvidia_gpu_exporter. */
export const UUID_LABELS = ["UUID", "gpu_uuid", "uuid", "GPU_UUID"] as const;
/** dcgm-exporter's number of a MIG instance on its GPU. */
export const MIG_LABEL = "GPU_I_ID";

/**
 * The GPU, or its MIG instance, that labels name: `GPU-9b1f…` or `GPU-9b1f…/mig/3`; null where none does. nvidia_gpu_exporter leaves out
 * "GPU-": `isGpuField` says that a bare UUID is a GPU's, which it is not in a disk's labels.
 */
export function gpuId(labels: RawLabels, isGpuField: boolean): string | null {
  for (const name of UUID_LABELS) {
    const value = labels[name];
    if (value === undefined || value === "") continue;
    if (!/^(GPU|MIG)-/i.test(value) && !isGpuField) continue;
    const uuid = /^GPU-/i.test(value) ? `GPU-${value.slice(4).toLowerCase()}` : /^MIG-/i.test(value) ? value : `GPU-${value.toLowerCase()}`;
    const instance = labels[MIG_LABEL];
    return instance === undefined || instance === "" ? uuid : `${uuid}/mig/${instance}`;
  }
  return null;
}

/** The GPU that an entity id belongs to: of a MIG instance or a link the id without its last part. */
export function gpuOf(id: string): string {
  const end = id.indexOf("/");
  return end < 0 ? id : id.slice(0, end);
}
