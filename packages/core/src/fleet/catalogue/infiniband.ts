import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { NO_SENTINELS } from "./sentinels.ts";

const family = (signal: FieldFamily["signal"]): FieldFamily => ({
  entity: "port",
  signal,
  sentinels: NO_SENTINELS,
  source: "node_exporter collector/infiniband_linux.go; /sys/class/infiniband",
});

const PORTS = family("fabric-ports");
const ERRORS = family("fabric-errors");
const COUNTER = { kind: "counter", max: 2 ** 64 } as const;

/** InfiniBand and RoCE ports, as node_exporter and our agent name them. Counters of the hardware wrap or stop at 2^32 or 2^64. */
export const INFINIBAND_FIELDS: readonly FleetField[] = [
  defineField(PORTS, "node_infiniband_state_id", "Port state (4 is active)", { kind: "state", max: 16 }),
  defineField(PORTS, "node_infiniband_physical_state_id", "Physical port state (5 is link up)", { kind: "state", max: 16 }),
  defineField(PORTS, "node_infiniband_rate_bytes_per_second", "Port rate", { unit: "B/s", max: 1e12 }),
  defineField(PORTS, "node_infiniband_port_data_received_bytes_total", "Port received", { ...COUNTER, unit: "B" }),
  defineField(PORTS, "node_infiniband_port_data_transmitted_bytes_total", "Port sent", { ...COUNTER, unit: "B" }),
  defineField({ ...PORTS, signal: null }, "node_infiniband_port_packets_received_total", "Port packets received", COUNTER),
  defineField({ ...PORTS, signal: null }, "node_infiniband_port_packets_transmitted_total", "Port packets sent", COUNTER),
  defineField(ERRORS, "node_infiniband_link_downed_total", "Times the link went down", COUNTER),
  defineField(ERRORS, "node_infiniband_link_error_recovery_total", "Link recoveries", COUNTER),
  defineField(ERRORS, "node_infiniband_symbol_error_total", "Symbol errors", COUNTER),
  defineField(ERRORS, "node_infiniband_port_errors_received_total", "Packets received with errors", COUNTER),
  defineField(ERRORS, "node_infiniband_port_discards_transmitted_total", "Packets discarded on sending", COUNTER),
  defineField(ERRORS, "node_infiniband_port_discards_received_total", "Packets discarded on receiving", COUNTER),
  defineField(ERRORS, "node_infiniband_port_constraint_errors_received_total", "Constraint errors received", COUNTER),
  defineField(ERRORS, "node_infiniband_port_constraint_errors_transmitted_total", "Constraint errors sent", COUNTER),
  defineField(ERRORS, "node_infiniband_port_transmit_wait_total", "Ticks spent waiting to send", COUNTER),
  defineField(ERRORS, "node_infiniband_out_of_sequence_total", "Packets out of sequence", COUNTER),
  defineField(ERRORS, "node_infiniband_packet_seq_err_total", "Packet sequence errors", COUNTER),
  defineField(ERRORS, "node_infiniband_local_ack_timeout_err_total", "Acknowledgement time-outs", COUNTER),
  defineField(ERRORS, "node_infiniband_roce_adp_retrans_total", "RoCE adaptive retransmissions", COUNTER),
  defineField(ERRORS, "node_infiniband_roce_slow_restart_total", "RoCE slow restarts", COUNTER),
];
