import type { HealthReading } from "../contract.ts";
import { PORT_FILES } from "./port-files.ts";

const PORT = /\/infiniband\/([\w.-]{1,64})\/ports\/(\d{1,3})\/((?:hw_)?counters\/\w{1,64}|\w{1,64})$/;
const DEVICE = /\/infiniband\/([\w.-]{1,64})\/(board_id|fw_ver|hca_type)$/;
const INTERFACE = /\/net\/([\w.-]{1,32})\/(operstate|carrier)$/;
const BY_PATH = new Map(PORT_FILES.map((file) => [file.path, file] as const));
const INFO_LABELS = { board_id: "board_id", fw_ver: "firmware_version", hca_type: "hca_type" } as const;

/**
 * Readings of `/sys` as a map from path to content, with node_exporter's names: InfiniBand and RoCE ports, what their cards are, and whether network
 * interfaces are up. Paths may lead over `/sys/class/infiniband` or the PCI devices; what means nothing here is passed over.
 */
export function sysfsReadings(files: Iterable<readonly [path: string, content: string]>): readonly HealthReading[] {
  const readings: HealthReading[] = [];
  const cards = new Map<string, Record<string, string>>();
  for (const [path, content] of files) {
    const text = content.trim();
    const reading = portReading(path, text) ?? interfaceReading(path, text);
    if (reading !== null) readings.push(reading);
    const [, device, file] = DEVICE.exec(path) ?? [];
    if (device !== undefined && (file === "board_id" || file === "fw_ver" || file === "hca_type")) {
      cards.set(device, { device, ...cards.get(device), [INFO_LABELS[file]]: text });
    }
  }
  for (const labels of cards.values()) readings.push(reading("node_infiniband_info", labels, 1));
  return readings;
}

function portReading(path: string, text: string): HealthReading | null {
  const [, device, port, file] = PORT.exec(path) ?? [];
  const known = file === undefined ? undefined : BY_PATH.get(file);
  if (device === undefined || port === undefined || known === undefined) return null;
  const value = known.read(text);
  return value === null ? null : reading(known.name, { device, port }, value);
}

/** An interface that does not say whether it is up (`unknown`) has no reading. */
function interfaceReading(path: string, text: string): HealthReading | null {
  const [, device, file] = INTERFACE.exec(path) ?? [];
  if (device === undefined) return null;
  if (file === "carrier") return text === "0" || text === "1" ? reading("node_network_carrier", { device }, Number(text)) : null;
  return text === "up" || text === "down" ? reading("node_network_up", { device }, text === "up" ? 1 : 0) : null;
}

function reading(name: string, labels: Readonly<Record<string, string>>, value: number): HealthReading {
  return { name, labels, value, line: null, timeMs: null };
}
