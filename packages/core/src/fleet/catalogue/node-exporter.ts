import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { NO_SENTINELS } from "./sentinels.ts";

const HOST: FieldFamily = { entity: "node", signal: "host", sentinels: NO_SENTINELS, source: "node_exporter collectors" };
const QUIET: FieldFamily = { ...HOST, signal: null };
const BYTES = { unit: "B", max: 2 ** 60 } as const;
const COUNTER = { kind: "counter" } as const;

/** The host below the GPUs. Other series of node_exporter are kept as they come, without a meaning of ours. */
export const NODE_EXPORTER_FIELDS: readonly FleetField[] = [
  defineField(HOST, "node_load1", "Load, 1 minute", { digits: 2, max: 1e6 }),
  defineField(HOST, "node_cpu_seconds_total", "CPU time", { ...COUNTER, unit: "s", digits: 1 }),
  defineField(HOST, "node_memory_MemAvailable_bytes", "Memory available", BYTES),
  defineField(QUIET, "node_memory_MemTotal_bytes", "Memory in all", BYTES),
  defineField(QUIET, "node_memory_MemFree_bytes", "Memory free", BYTES),
  defineField(HOST, "node_filesystem_avail_bytes", "Disk available", BYTES),
  defineField(QUIET, "node_filesystem_size_bytes", "Disk in all", BYTES),
  defineField(QUIET, "node_boot_time_seconds", "Booted at", { unit: "s", kind: "state", max: 1e11 }),
  defineField(QUIET, "node_time_seconds", "Clock", { unit: "s", max: 1e11 }),
  defineField(QUIET, "node_timex_offset_seconds", "Clock offset", { unit: "s", min: -1e9, max: 1e9, digits: 6 }),
  defineField(QUIET, "node_vmstat_oom_kill", "Processes killed for memory", COUNTER),
  defineField(QUIET, "node_edac_correctable_errors_total", "Host memory errors, corrected", COUNTER),
  defineField(QUIET, "node_edac_uncorrectable_errors_total", "Host memory errors, uncorrected", COUNTER),
  defineField(QUIET, "node_network_carrier", "Network carrier", { kind: "state", max: 1 }),
  defineField(QUIET, "node_network_up", "Network interface up", { kind: "state", max: 1 }),
  defineField(QUIET, "node_network_receive_bytes_total", "Network received", { ...COUNTER, unit: "B" }),
  defineField(QUIET, "node_network_transmit_bytes_total", "Network sent", { ...COUNTER, unit: "B" }),
  defineField(QUIET, "node_network_receive_errs_total", "Network errors, receiving", COUNTER),
  defineField(QUIET, "node_network_transmit_errs_total", "Network errors, sending", COUNTER),
  defineField(QUIET, "node_network_receive_drop_total", "Network packets dropped, receiving", COUNTER),
  defineField(QUIET, "node_pressure_io_stalled_seconds_total", "Time stalled on input and output", { ...COUNTER, unit: "s", digits: 1 }),
  defineField(QUIET, "node_pressure_memory_stalled_seconds_total", "Time stalled on memory", { ...COUNTER, unit: "s", digits: 1 }),
  // Carries host name and kernel as labels; its value is always 1.
  defineField(QUIET, "node_uname_info", "What the host runs (labels)", { kind: "state", max: 1 }),
];
