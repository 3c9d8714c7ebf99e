import { FLEET_FIELDS } from "./catalogue/index.ts";
import type { FleetField, FleetSignalName } from "./field.ts";

/** What a signal is called, and which faults nobody can see without it (E7). */
export interface FleetSignal {
  readonly name: FleetSignalName;
  readonly title: string;
  readonly blindTo: string;
  /** On a busy node some reading of it is above zero; one that is always 0 there is not measured (E7). */
  readonly movesUnderLoad: boolean;
}

export const FLEET_SIGNALS: readonly FleetSignal[] = [
  { name: "activity", title: "GPU activity", blindTo: "a rank that hangs or idles while its peers work", movesUnderLoad: true },
  { name: "temperature", title: "Temperature", blindTo: "a GPU that runs hot", movesUnderLoad: true },
  { name: "power", title: "Power", blindTo: "a GPU that draws less or more than its peers", movesUnderLoad: true },
  { name: "clocks", title: "Clocks", blindTo: "a GPU that runs slow", movesUnderLoad: true },
  { name: "throttle", title: "Throttling", blindTo: "why a GPU runs slow", movesUnderLoad: false },
  {
    name: "memory",
    title: "Memory use",
    blindTo: "a process that was left over, or a rank that holds less than its peers",
    movesUnderLoad: true,
  },
  { name: "ecc", title: "ECC errors", blindTo: "memory that fails", movesUnderLoad: false },
  { name: "row-remap", title: "Row remapping", blindTo: "a GPU that must be reset or returned", movesUnderLoad: false },
  { name: "xid", title: "XID", blindTo: "driver faults, as long as the kernel's log is not read either", movesUnderLoad: false },
  { name: "nvlink-errors", title: "NVLink errors", blindTo: "a link that repeats or fails", movesUnderLoad: false },
  { name: "nvlink-bandwidth", title: "NVLink traffic", blindTo: "a link that runs slow or carries nothing", movesUnderLoad: true },
  { name: "pcie", title: "PCIe", blindTo: "a bus that replays or has lost lanes", movesUnderLoad: false },
  { name: "fabric-ports", title: "Network ports", blindTo: "a port that is down or slow", movesUnderLoad: false },
  { name: "fabric-errors", title: "Network errors", blindTo: "a cable or port that flaps or drops", movesUnderLoad: false },
  { name: "host", title: "Host", blindTo: "a node short of memory, disk or processor time", movesUnderLoad: false },
  { name: "kernel-log", title: "Kernel log", blindTo: "the same XID twice, SXid, processes killed for memory", movesUnderLoad: false },
];

/** Fields that bring a signal, in the catalogue's order: the first is the one to look at. */
export function fieldsOf(signal: FleetSignalName): readonly FleetField[] {
  return FLEET_FIELDS.filter((field) => field.signal === signal);
}
