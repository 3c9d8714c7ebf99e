import type { FleetFault } from "./fleet-fault.ts";
import type { FleetPlan } from "./fleet-plan.ts";
import { bell, hash, hexDigits, keyOf, uniform, uuidText } from "./noise.ts";

/** PCI buses of the eight GPUs of an H100 node. */
const BUSES = [0x1b, 0x43, 0x52, 0x61, 0x9d, 0xc3, 0xd1, 0xdf];
export const MODEL = "NVIDIA H100 80GB HBM3";
export const DRIVER = "550.127.05";
/** From the moment a node goes down until its exporters answer again. */
export const REBOOT_MS = 240_000;
const BOOT_BEFORE_EXPORTERS_MS = 70_000;
const DAY_MS = 86_400_000;

/** A GPU as a thing that can be taken out. */
export interface Chip {
  /** Seeds all that is its own. */
  readonly key: number;
  readonly uuid: string;
  readonly serial: string;
  readonly nature: ChipNature;
}

/** In what one GPU differs from the next for good. */
export interface ChipNature {
  /** °C above the average at rest, and more at full load. */
  readonly restC: number;
  readonly loadC: number;
  /** W above the average, likewise. */
  readonly restW: number;
  readonly loadW: number;
  readonly memoryMib: number;
  /** Share of its time under load in which the power limit holds it back, over the average one's. */
  readonly capped: number;
  /** Rows that were remapped before it came here. */
  readonly rowsUncorrectable: number;
  readonly rowsCorrectable: number;
}

/** A node from one boot to the next. */
export interface Boot {
  readonly bootMs: number;
  /** Exporters answer from then on. */
  readonly upMs: number;
  /** The node goes down for the next boot; infinite for the last. */
  readonly downMs: number;
  readonly bootId: string;
  /** By slot. */
  readonly chips: readonly Chip[];
  /** By index, as the driver counts. */
  readonly slots: readonly number[];
}

export interface NodeIdentity {
  readonly index: number;
  readonly key: number;
  /** `c11-n07` */
  readonly host: string;
  /** `C11` */
  readonly rack: string;
  /** 32 hexadecimal digits, as /etc/machine-id has them. */
  readonly machineId: string;
  readonly boots: readonly Boot[];
}

const COLUMNS = 16;

export function nodeIdentity(plan: FleetPlan, index: number): NodeIdentity {
  const key = keyOf(plan.seed, 1, index);
  const place = Math.floor(index / plan.nodesPerRack);
  const row = Math.floor(place / COLUMNS);
  const letters =
    row < 26 ? String.fromCharCode(65 + row) : `${String.fromCharCode(64 + Math.floor(row / 26))}${String.fromCharCode(65 + (row % 26))}`;
  const rack = `${letters}${String((place % COLUMNS) + 1).padStart(2, "0")}`;
  return {
    index,
    key,
    rack,
    host: `${rack.toLowerCase()}-n${String((index % plan.nodesPerRack) + 1).padStart(2, "0")}`,
    machineId: hexDigits(keyOf(key, 2), 32),
    boots: bootsOf(plan, index, key),
  };
}

/** The boot before `startMs`, and one for each fault that makes the node reboot. */
function bootsOf(plan: FleetPlan, node: number, key: number): readonly Boot[] {
  const reboots = plan.faults.filter((fault) => fault.node === node && isReboot(fault)).sort((a, b) => a.atMs - b.atMs);
  let chips: readonly Chip[] = Array.from({ length: plan.gpusPerNode }, (_, slot) => chipOf(keyOf(key, 3, slot)));
  let slots: readonly number[] = chips.map((_, slot) => slot);
  const firstMs = plan.startMs - Math.round((3 + 40 * uniform(key, 4)) * DAY_MS);
  const boots: Boot[] = [];
  let next = { bootMs: firstMs, upMs: firstMs + BOOT_BEFORE_EXPORTERS_MS };
  for (const [count, fault] of [...reboots, null].entries()) {
    const downMs = fault?.atMs ?? Number.POSITIVE_INFINITY;
    boots.push({ ...next, downMs, bootId: uuidText(keyOf(key, 5, count)), chips, slots });
    if (fault === null) break;
    const upMs = fault.kind === "node-lost" ? (fault.untilMs ?? Number.POSITIVE_INFINITY) : downMs + REBOOT_MS;
    next = { bootMs: Math.max(downMs, upMs - BOOT_BEFORE_EXPORTERS_MS), upMs };
    if (fault.kind === "gpu-replaced") chips = chips.map((chip, slot) => (slot === fault.gpu ? chipOf(keyOf(key, 6, slot, count)) : chip));
    if (fault.kind === "index-swap")
      slots = slots.map((slot) => (slot === fault.gpu ? fault.with : slot === fault.with ? fault.gpu : slot));
  }
  return boots;
}

function isReboot({ kind }: FleetFault): boolean {
  return kind === "gpu-replaced" || kind === "index-swap" || kind === "node-lost";
}

function chipOf(key: number): Chip {
  const nature = {
    restC: 2.2 * bell(key, 1),
    loadC: 2 * bell(key, 2),
    restW: 2 * bell(key, 3),
    loadW: 12 * bell(key, 4),
    memoryMib: 600 * bell(key, 5),
    capped: 1 + 0.5 * bell(key, 6) ** 2,
    rowsUncorrectable: uniform(key, 7) < 0.02 ? 1 : 0,
    rowsCorrectable: uniform(key, 8) < 0.04 ? 1 : 0,
  };
  return { key, uuid: `GPU-${uuidText(keyOf(key, 9))}`, serial: `165${String(hash(key, 10)).padStart(10, "0")}`, nature };
}

/** The boot that a time falls into; the one before a reboot until the node is up again. */
export function bootAt({ boots }: NodeIdentity, timeMs: number): Boot {
  const boot = boots.findLast(({ upMs }) => upMs <= timeMs) ?? boots[0];
  if (boot === undefined) throw new Error("a node has at least one boot");
  return boot;
}

/** `0000:1b:00`, as the kernel writes it after "PCI:". */
export function pciAddress(slot: number): string {
  const bus = BUSES[slot] ?? 0xe0 + slot;
  return `0000:${bus.toString(16).padStart(2, "0")}:00`;
}

/** `00000000:1B:00.0`, as DCGM writes it. */
export function pciBusId(slot: number): string {
  return `0000${pciAddress(slot).toUpperCase()}.0`;
}
