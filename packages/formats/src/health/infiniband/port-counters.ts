/** Data counters count words of four bytes (InfiniBand specification, PortXmitData). */
const WORD_BYTES = 4;

export interface PortCounter {
  /** Below `/sys/class/infiniband/<device>/ports/<port>/`. */
  readonly file: string;
  /** As `perfquery -x` calls it; null where it does not know it. */
  readonly perfquery: string | null;
  /** As node_exporter calls it (collector/infiniband_linux.go, procfs). */
  readonly metric: string;
  readonly factor: number;
}

const counter = (file: string, perfquery: string | null, metric: string, factor = 1): PortCounter => ({
  file,
  perfquery,
  metric: `node_infiniband_${metric}_total`,
  factor,
});

export const PORT_COUNTERS: readonly PortCounter[] = [
  counter("counters/port_xmit_data", "PortXmitData", "port_data_transmitted_bytes", WORD_BYTES),
  counter("counters/port_rcv_data", "PortRcvData", "port_data_received_bytes", WORD_BYTES),
  counter("counters/port_xmit_packets", "PortXmitPkts", "port_packets_transmitted"),
  counter("counters/port_rcv_packets", "PortRcvPkts", "port_packets_received"),
  counter("counters/unicast_xmit_packets", "PortUnicastXmitPkts", "unicast_packets_transmitted"),
  counter("counters/unicast_rcv_packets", "PortUnicastRcvPkts", "unicast_packets_received"),
  counter("counters/multicast_xmit_packets", "PortMulticastXmitPkts", "multicast_packets_transmitted"),
  counter("counters/multicast_rcv_packets", "PortMulticastRcvPkts", "multicast_packets_received"),
  counter("counters/symbol_error", "SymbolErrorCounter", "symbol_error"),
  counter("counters/link_error_recovery", "LinkErrorRecoveryCounter", "link_error_recovery"),
  counter("counters/link_downed", "LinkDownedCounter", "link_downed"),
  counter("counters/port_rcv_errors", "PortRcvErrors", "port_errors_received"),
  counter("counters/port_rcv_remote_physical_errors", "PortRcvRemotePhysicalErrors", "port_receive_remote_physical_errors"),
  counter("counters/port_rcv_switch_relay_errors", "PortRcvSwitchRelayErrors", "port_receive_switch_relay_errors"),
  counter("counters/port_xmit_discards", "PortXmitDiscards", "port_discards_transmitted"),
  counter("counters/port_rcv_discards", null, "port_discards_received"),
  counter("counters/port_xmit_constraint_errors", "PortXmitConstraintErrors", "port_constraint_errors_transmitted"),
  counter("counters/port_rcv_constraint_errors", "PortRcvConstraintErrors", "port_constraint_errors_received"),
  counter("counters/local_link_integrity_errors", "LocalLinkIntegrityErrors", "local_link_integrity_errors"),
  counter("counters/excessive_buffer_overrun_errors", "ExcessiveBufferOverrunErrors", "excessive_buffer_overrun_errors"),
  counter("counters/VL15_dropped", "VL15Dropped", "vl15_dropped"),
  counter("counters/port_xmit_wait", "PortXmitWait", "port_transmit_wait"),
  counter("hw_counters/out_of_sequence", null, "out_of_sequence"),
  counter("hw_counters/packet_seq_err", null, "packet_seq_err"),
  counter("hw_counters/local_ack_timeout_err", null, "local_ack_timeout_err"),
  counter("hw_counters/roce_adp_retrans", null, "roce_adp_retrans"),
  counter("hw_counters/roce_slow_restart", null, "roce_slow_restart"),
];

/** States of a port (InfiniBand specification, PortInfo.PortState) and of its physical layer, as tools write them. */
export const PORT_STATES: Readonly<Record<string, number>> = {
  nop: 0,
  down: 1,
  init: 2,
  initializing: 2,
  initialize: 2,
  armed: 3,
  active: 4,
  active_defer: 5,
};
export const PHYSICAL_STATES: Readonly<Record<string, number>> = {
  sleep: 1,
  polling: 2,
  disabled: 3,
  portconfigurationtraining: 4,
  linkup: 5,
  linkerrorrecovery: 6,
  phy_test: 7,
};

/** Gb/s of data that a lane carries, by the name of its speed: the encoding's share is taken off where it is large (8b/10b to QDR). */
const LANE_GIGABITS: Readonly<Record<string, number>> = {
  SDR: 2.5,
  DDR: 5,
  QDR: 10,
  FDR10: 10,
  FDR: 14,
  EDR: 25,
  HDR: 50,
  NDR: 100,
  XDR: 200,
};

/** `4x` and `EDR` as bytes a second, as the kernel states rates (4X EDR is 100 Gb/sec); null for a speed that nobody knows. */
export function rateOf(width: number, speed: string): number | null {
  const lane = LANE_GIGABITS[speed.toUpperCase()];
  return lane === undefined ? null : (width * lane * 1e9) / 8;
}
