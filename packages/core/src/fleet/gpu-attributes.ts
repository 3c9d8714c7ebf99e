import type { EntityAttribute } from "./entity.ts";
import type { RawLabels } from "./series-identity.ts";

/** Names of attributes as Trainwatch keeps them, by the labels that bring them. Prometheus renames what it would overwrite to `exported_*`. */
const ATTRIBUTE_OF: ReadonlyMap<string, string> = new Map([
  ["gpu", "index"],
  ["index", "index"],
  ["pci_bus_id", "pci"],
  ["modelName", "model"],
  ["model_name", "model"],
  ["GPU_I_PROFILE", "profile"],
  ["DCGM_FI_DRIVER_VERSION", "driver"],
  ["DCGM_FI_SYSTEM_DRIVER_VERSION", "driver"],
  ["driver_version", "driver"],
  ["DCGM_FI_DEV_SERIAL", "serial"],
  ["DCGM_FI_DEV_BOARD_SERIAL", "serial"],
  ["serial", "serial"],
  ["DCGM_FI_DEV_VBIOS_VERSION", "vbios"],
  ["vbios_version", "vbios"],
  ["DCGM_FI_DEV_BRAND", "brand"],
  ["exported_pod", "pod"],
  ["pod", "pod"],
  ["pod_name", "pod"],
  ["exported_namespace", "namespace"],
  ["namespace", "namespace"],
  ["pod_namespace", "namespace"],
  ["exported_container", "container"],
  ["container", "container"],
  ["container_name", "container"],
  ["hpc_job", "job"],
  ["job_id", "job"],
  ["slurm_job_id", "job"],
]);

/** Labels of a GPU's series that say where and how it was read. They tell nothing of the GPU and no series apart. */
const PATH_LABELS: ReadonlySet<string> = new Set([
  "job",
  "instance",
  "endpoint",
  "service",
  "prometheus",
  "prometheus_replica",
  "__replica__",
  "replica",
  "exported_job",
  "exported_instance",
  "exported_service",
  "exported_endpoint",
  "device",
  "pod_uid",
  // The value says it already; a label that changes with the value would begin a new series with every XID (E1).
  "err_code",
  "err_msg",
]);

/** nvidia_gpu_exporter's info metric calls the model `name`; anywhere else that label may be anything. */
const INFO_METRIC = "nvidia_smi_gpu_info";

export interface SortedLabels {
  readonly attributes: readonly EntityAttribute[];
  /** Labels that are part of the series. */
  readonly rest: RawLabels;
}

/**
 * Parts the labels of a GPU's (or its link's) series into what is true of the GPU for a while and what tells series apart. Empty labels say
 * nothing: dcgm-exporter writes `pod=""` on an idle GPU, which ends no attribute but is the attribute's value.
 */
export function sortGpuLabels(metric: string, labels: RawLabels, isIdentity: (name: string) => boolean): SortedLabels {
  const attributes = new Map<string, string>();
  const rest: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) {
    if (isIdentity(name) || PATH_LABELS.has(name)) continue;
    const attribute = metric === INFO_METRIC && name === "name" ? "model" : (ATTRIBUTE_OF.get(name) ?? fieldLabel(name));
    if (attribute === null) rest[name] = value;
    else if (!attributes.has(attribute) || name.startsWith("exported_")) attributes.set(attribute, value);
  }
  if (metric === INFO_METRIC) return { attributes: listed(attributes), rest: {} };
  return { attributes: listed(attributes), rest };
}

/** dcgm-exporter adds static text fields as labels under the field's own name. */
function fieldLabel(name: string): string | null {
  return name.startsWith("DCGM_FI_") ? name.slice("DCGM_FI_".length).toLowerCase() : null;
}

function listed(attributes: ReadonlyMap<string, string>): readonly EntityAttribute[] {
  return [...attributes].map(([name, value]) => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
