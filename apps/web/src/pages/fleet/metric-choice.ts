import type { FleetMetricView } from "@trainwatch/core";

/** What an on-call reader looks at first, as far as the fleet sends it. */
const FIRST = [
  "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS",
  "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
  "nvidia_smi_temperature_gpu",
  "DCGM_FI_DEV_GPU_UTIL_RATIO",
  "nvidia_smi_utilization_gpu_ratio",
] as const;

/** Things of a GPU or its links; of a node on each of its GPUs. Ports and switches are not where a GPU is. */
export function mapMetrics(metrics: readonly FleetMetricView[]): readonly FleetMetricView[] {
  return metrics.filter((metric) => metric.series > 0);
}

/** The metric that the link names where the fleet sends it; else a temperature; else the first of those of GPUs. */
export function shownMetric(asked: string | undefined, metrics: readonly FleetMetricView[]): FleetMetricView | null {
  const offered = mapMetrics(metrics);
  const byName = (name: string | undefined): FleetMetricView | undefined => offered.find((metric) => metric.name === name);
  const first = FIRST.flatMap((name) => byName(name) ?? []);
  return byName(asked) ?? first[0] ?? offered.find((metric) => metric.entity === "gpu") ?? offered[0] ?? null;
}

/** Titles in a list; two sources of one quantity are told apart by the field's own name. */
export function metricLabels(metrics: readonly FleetMetricView[]): readonly { readonly value: string; readonly label: string }[] {
  const counts = new Map<string, number>();
  for (const { title } of metrics) counts.set(title, (counts.get(title) ?? 0) + 1);
  return metrics.map(({ name, title }) => ({ value: name, label: (counts.get(title) ?? 0) > 1 ? `${title} (${name})` : title }));
}
