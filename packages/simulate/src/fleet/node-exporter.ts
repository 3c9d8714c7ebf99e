import { hostSamples } from "./host-values.ts";
import type { NodeMoment } from "./node-state.ts";
import { seriesTable } from "./series-table.ts";
import type { ExposedSeries, Family, SeriesTable } from "./series-table.ts";

/** Help lines as node_exporter 1.8 writes them. */
const HELP: Readonly<Record<string, string>> = {
  node_boot_time_seconds: "Node boot time, in unixtime.",
  node_cpu_seconds_total: "Seconds the CPUs spent in each mode.",
  node_edac_correctable_errors_total: "Total correctable memory errors.",
  node_edac_uncorrectable_errors_total: "Total uncorrectable memory errors.",
  node_filesystem_avail_bytes: "Filesystem space available to non-root users in bytes.",
  node_filesystem_size_bytes: "Filesystem size in bytes.",
  node_infiniband_link_downed_total: "Number of times the link failed to recover from an error state and went down",
  node_infiniband_link_error_recovery_total: "Number of times the link successfully recovered from an error state",
  node_infiniband_physical_state_id:
    "Physical state of the InfiniBand port (0: no change, 1: sleep, 2: polling, 3: disable, 4: shift, 5: link up, 6: link error recover, 7: phytest)",
  node_infiniband_port_data_received_bytes_total: "Number of data octets received on all links",
  node_infiniband_port_data_transmitted_bytes_total: "Number of data octets transmitted on all links",
  node_infiniband_port_discards_transmitted_total: "Number of outbound packets discarded by the port because the port is down or congested",
  node_infiniband_port_errors_received_total: "Number of packets containing an error that were received on this port",
  node_infiniband_port_packets_received_total: "Number of packets received on all VLs by this port (including errors)",
  node_infiniband_port_packets_transmitted_total: "Number of packets transmitted on all VLs from this port (including errors)",
  node_infiniband_port_transmit_wait_total:
    "Number of ticks during which the port had data to transmit but no data was sent during the entire tick",
  node_infiniband_rate_bytes_per_second: "Maximum signal transfer rate",
  node_infiniband_state_id: "State of the InfiniBand port (0: no change, 1: down, 2: init, 3: armed, 4: active, 5: act defer)",
  node_infiniband_symbol_error_total: "Number of minor link errors detected on one or more physical lanes",
  node_load1: "1m load average.",
  node_load15: "15m load average.",
  node_load5: "5m load average.",
  node_memory_MemAvailable_bytes: "Memory information field MemAvailable_bytes.",
  node_memory_MemFree_bytes: "Memory information field MemFree_bytes.",
  node_memory_MemTotal_bytes: "Memory information field MemTotal_bytes.",
  node_network_carrier: "Network device property: carrier",
  node_network_receive_bytes_total: "Network device statistic receive_bytes.",
  node_network_receive_drop_total: "Network device statistic receive_drop.",
  node_network_receive_errs_total: "Network device statistic receive_errs.",
  node_network_transmit_bytes_total: "Network device statistic transmit_bytes.",
  node_network_transmit_errs_total: "Network device statistic transmit_errs.",
  node_network_up: "Value is 1 if operstate is 'up', 0 otherwise.",
  node_pressure_io_stalled_seconds_total: "Total time in seconds no process could make progress due to IO congestion",
  node_pressure_memory_stalled_seconds_total: "Total time in seconds no process could make progress due to memory congestion",
  node_time_seconds: "System time in seconds since epoch (1970).",
  node_timex_offset_seconds: "Time offset in between local system and reference clock.",
  node_timex_sync_status: "Is clock synchronized to a reliable server (1 = yes, 0 = no).",
  node_uname_info: "Labeled system information as provided by the uname system call.",
  node_vmstat_oom_kill: "/proc/vmstat information field oom_kill.",
  process_start_time_seconds: "Start time of the process since unix epoch in seconds.",
};

/** The series of a node are the same at all times. */
export function hostTable(moment: NodeMoment): SeriesTable {
  const families = new Map<string, Family>();
  const exposed = hostSamples(moment).map(({ name, labels }, place): ExposedSeries => {
    const family = families.get(name) ?? { name, type: typeOf(name), help: HELP[name] ?? name, write: "shortest" as const };
    families.set(name, family);
    return { family, name, labels, place };
  });
  return seriesTable("host", exposed);
}

export function hostValues(moment: NodeMoment): Float64Array {
  return Float64Array.from(hostSamples(moment), ({ value }) => value);
}

function typeOf(name: string): Family["type"] {
  if (name.startsWith("node_vmstat_")) return "untyped";
  return name.endsWith("_total") ? "counter" : "gauge";
}
