import { PORT_COUNTERS } from "./port-counters.ts";

/** A file of `/sys/class/infiniband/<device>/ports/<port>/` and what it is called, as node_exporter does (collector/infiniband_linux.go). */
export interface PortFile {
  readonly path: string;
  readonly name: string;
  /** The number it holds, in the field's unit; null where it holds none ("N/A (no PMA)"). */
  read(text: string): number | null;
}

export const PORT_FILES: readonly PortFile[] = [
  { path: "state", name: "node_infiniband_state_id", read: leadingNumber },
  { path: "phys_state", name: "node_infiniband_physical_state_id", read: leadingNumber },
  { path: "rate", name: "node_infiniband_rate_bytes_per_second", read: rateBytes },
  ...PORT_COUNTERS.map(({ file, metric, factor }) => ({
    path: file,
    name: metric,
    read: (text: string) => (/^\d{1,20}$/.test(text) ? Number(text) * factor : null),
  })),
];

/** `4: ACTIVE`. */
function leadingNumber(text: string): number | null {
  const number = /^(\d{1,3}):/.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

/** `400 Gb/sec (4X NDR)`, `2.5 Gb/sec (1X SDR)`. */
function rateBytes(text: string): number | null {
  const gigabits = /^(\d+(?:\.\d+)?) Gb\/sec/.exec(text)?.[1];
  return gigabits === undefined ? null : (Number(gigabits) * 1e9) / 8;
}
