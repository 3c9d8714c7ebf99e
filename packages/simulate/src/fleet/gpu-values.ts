import { activeSeconds, isActive } from "./fleet-fault.ts";
import type { FaultOf, FleetFault } from "./fleet-fault.ts";
import { GPU_FIELDS, GPU_PLACE, LINK_FIELDS } from "./gpu-fields.ts";
import type { Chip } from "./inventory.ts";
import { lastXid } from "./node-state.ts";
import type { NodeMoment } from "./node-state.ts";
import { bell, drift, hash, uniform, unsteady } from "./noise.ts";

/** An H100 SXM at rest and at full load. */
const IDLE_W = 71;
const LOAD_W = 585;
const LIMIT_W = 700;
const IDLE_MHZ = 345;
const BOOST_MHZ = 1_980;
const MEMORY_MHZ = 2_619;
const ROOM_C = 27;
const LOAD_C = 34;
const MEMORY_MIB = 81_559;
const RESERVED_MIB = 604;
const WEIGHTS_MIB = 72_400;
/** Of a link, each way: what large collectives move of the 26.6 GB/s it could. */
const LINK_BYTES_PER_S = 19.4e9;
const HOT_AFTER_S = 150;
const HOUR_S = 3_600;
const SECOND_MS = 1_000;

export const GPU_VALUES = GPU_FIELDS.length;
export const LINK_VALUES = LINK_FIELDS.length;

/** Bits of the clock event reasons: idle, software power cap, software and hardware thermal slowdown. */
const REASON = { idle: 0x1, powerCap: 0x4, thermal: 0x20 | 0x40 } as const;

/** Noise of one GPU at one time: keys of its own for each quantity. */
interface Own {
  readonly slot: number;
  readonly chip: Chip;
  readonly faults: readonly FleetFault[];
  readonly second: number;
  readonly slow: number;
  readonly hot: number;
}

/**
 * The readings of one GPU, in the order of `GPU_FIELDS`, to `out[at]` and on.
 */
export function fillGpu(out: Float64Array, at: number, moment: NodeMoment, slot: number): void {
  const chip = moment.boot.chips[slot];
  if (chip === undefined) throw new RangeError(`the node has no GPU in slot ${slot}`);
  const faults = moment.state.gpuFaults[slot] ?? [];
  const own: Own = {
    slot,
    chip,
    faults,
    second: Math.floor(moment.timeMs / SECOND_MS),
    slow: throttleOf(faults, moment.timeMs),
    hot: heatOfFaults(faults, moment.timeMs),
  };
  fillLevels(out, at, moment, own);
  fillActivity(out, at, moment, own);
  fillCounters(out, at, moment, own);
  fillErrors(out, at, moment, own);
  for (const fault of faults) if (fault.kind === "sentinel" && isActive(fault, moment.timeMs)) fillSentinel(out, at, fault);
}

function fillLevels(out: Float64Array, at: number, { load, timeMs }: NodeMoment, { chip, second, slow, hot }: Own): void {
  const { key, nature } = chip;
  const busy = load.busy > 0;
  const temperature = ROOM_C + nature.restC + (LOAD_C + nature.loadC) * load.heat + hot + 0.6 * drift(key ^ 0x51, second, 40);
  const power = IDLE_W + nature.restW + (LOAD_W + nature.loadW) * (load.compute / slow) + (busy ? 9 : 0.4) * bell(key ^ 0x52, second);
  const isCapped = busy && power > LIMIT_W - 25;
  const clock = !busy ? IDLE_MHZ : BOOST_MHZ - (isCapped ? 15 * (hash(key ^ 0x53, second) % 12) : 0);
  out[at + GPU_PLACE.smClock] = Math.round(clock / slow / 15) * 15;
  out[at + GPU_PLACE.memoryClock] = MEMORY_MHZ;
  out[at + GPU_PLACE.memoryTemperature] = Math.round(temperature + 6 + 8 * load.heat + 0.2 * hot + 0.5 * bell(key ^ 0x54, second));
  out[at + GPU_PLACE.temperature] = Math.round(temperature + 0.3 * bell(key ^ 0x55, second));
  out[at + GPU_PLACE.power] = Math.round(Math.max(40, Math.min(LIMIT_W + 4, power)) * 1000) / 1000;
  const used = busy ? WEIGHTS_MIB + nature.memoryMib + 2 * (hash(key ^ 0x56, Math.floor(timeMs / 60_000)) % 24) : 4;
  out[at + GPU_PLACE.memoryUsed] = Math.round(used);
  out[at + GPU_PLACE.memoryFree] = MEMORY_MIB - RESERVED_MIB - Math.round(used);
  out[at + GPU_PLACE.clockReasons] = (busy ? 0 : REASON.idle) | (isCapped ? REASON.powerCap : 0) | (slow > 1 ? REASON.thermal : 0);
}

function fillActivity(out: Float64Array, at: number, moment: NodeMoment, { chip, faults, second, slow }: Own): void {
  const { load } = moment;
  const { key } = chip;
  const jitter = (place: number): number => bell(key ^ place, second);
  const ratio = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 1e6) / 1e6;
  const isBusy = load.busy > 0;
  out[at + GPU_PLACE.utilisation] = isBusy ? Math.min(100, Math.round(99.4 * load.busy + 0.8 * jitter(0x61))) : 0;
  out[at + GPU_PLACE.memoryUtilisation] = isBusy ? Math.max(0, Math.round(46 * load.compute + 2 * jitter(0x62))) : 0;
  out[at + GPU_PLACE.engineActive] = isBusy ? ratio(0.972 * load.busy + 0.006 * jitter(0x63)) : 0;
  out[at + GPU_PLACE.tensorActive] = ratio(0.452 * (load.compute / slow) * (1 + 0.03 * jitter(0x64)));
  out[at + GPU_PLACE.dramActive] = ratio(0.388 * (load.compute / slow) * (1 + 0.03 * jitter(0x65)));
  out[at + GPU_PLACE.smActive] = isBusy ? ratio((0.3 + 0.57 * load.compute) * (1 + 0.012 * jitter(0x66))) : 0;
  out[at + GPU_PLACE.pcieSent] = Math.round(2.4e9 * load.host * (1 + 0.08 * jitter(0x67)) + 12_000);
  out[at + GPU_PLACE.pcieReceived] = Math.round(0.9e9 * load.host * (1 + 0.1 * jitter(0x68)) + 9_000);
  // DCGM's rate of all links together and both ways, in MB/s (KiB/s by 1000: dcgm-exporter#658).
  let links = moment.state.plan.linksPerGpu;
  for (const fault of faults) if ("link" in fault) links -= 1 - linkShare(faults, moment, fault.link);
  out[at + GPU_PLACE.nvlinkRate] = Math.round((2 * links * LINK_BYTES_PER_S * load.link * (1 + 0.01 * jitter(0x69))) / 1024 / 1000);
}

function fillCounters(out: Float64Array, at: number, { work, boot, timeMs }: NodeMoment, { chip, faults }: Own): void {
  const { key, nature } = chip;
  const upS = (timeMs - boot.bootMs) / 1000;
  const joules = (IDLE_W + nature.restW) * upS + (LOAD_W + nature.loadW) * unsteady(key ^ 0x71, work.compute);
  out[at + GPU_PLACE.energy] = Math.floor(Math.max(0, joules) * 1000);
  // Most GPUs never replay; a few do, some times a day.
  out[at + GPU_PLACE.pcieReplays] = rareCount(key ^ 0x72, upS, 0.2, 4 * HOUR_S);
  out[at + GPU_PLACE.powerViolation] = Math.floor(unsteady(key ^ 0x73, work.busy) * 4.1e7 * nature.capped);
  let hotS = 0;
  for (const fault of faults)
    if (fault.kind === "hot-gpu" && (fault.slowsStepBy ?? 1) > 1) hotS += activeSeconds(fault, boot.bootMs, timeMs);
  out[at + GPU_PLACE.thermalViolation] = Math.floor(unsteady(key ^ 0x74, hotS) * 9.2e8);
}

function fillErrors(out: Float64Array, at: number, moment: NodeMoment, { slot, chip, faults }: Own): void {
  const { boot, timeMs } = moment;
  const upS = (timeMs - boot.bootMs) / 1000;
  let [corrected, uncorrected, remapped, failed, crc, recoveries] = [0, 0, 0, 0, 0, 0];
  for (const fault of faults) {
    if (timeMs < fault.atMs) continue;
    // What lies before a boot is forgotten, but for rows that were remapped.
    if (fault.kind === "row-remap" && boot.chips[slot] === bootChip(moment, fault)) {
      remapped += fault.rows;
      if (fault.failed) failed = 1;
    }
    if (fault.kind === "ecc") {
      corrected += (fault.correctedPerHour / HOUR_S) * unsteady(chip.key ^ 0x81, activeSeconds(fault, boot.bootMs, timeMs));
      if (fault.atMs >= boot.bootMs) uncorrected += fault.uncorrected;
    }
    if (fault.kind === "link-errors") {
      crc += linkErrors(fault, moment, chip);
      recoveries += Math.floor(activeSeconds(fault, boot.bootMs, timeMs) / 95);
    }
    if (fault.kind === "link-down" && fault.atMs >= boot.bootMs) recoveries += 3;
  }
  out[at + GPU_PLACE.xid] = lastXid(moment, slot);
  out[at + GPU_PLACE.rowsUncorrectable] = remapped + chip.nature.rowsUncorrectable;
  out[at + GPU_PLACE.rowsCorrectable] = chip.nature.rowsCorrectable;
  out[at + GPU_PLACE.remapFailed] = failed;
  out[at + GPU_PLACE.eccCorrected] = rareCount(chip.key ^ 0x82, upS, 0.08, 30 * HOUR_S) + Math.floor(corrected);
  out[at + GPU_PLACE.eccUncorrected] = uncorrected;
  out[at + GPU_PLACE.remapPending] = faults.some((fault) => fault.kind === "row-remap" && timeMs >= fault.atMs && fault.atMs >= boot.bootMs)
    ? 1
    : 0;
  out[at + GPU_PLACE.crcErrors] = crc;
  out[at + GPU_PLACE.recoveries] = recoveries;
}

function bootChip({ state }: NodeMoment, { atMs, gpu }: FaultOf<"row-remap">): Chip | undefined {
  return (state.identity.boots.findLast(({ bootMs }) => bootMs <= atMs) ?? state.identity.boots[0])?.chips[gpu];
}

/** Readings of one link, in the order of `LINK_FIELDS`, to `out[at]` and on. */
export function fillLink(out: Float64Array, at: number, moment: NodeMoment, slot: number, link: number): void {
  const chip = moment.boot.chips[slot];
  if (chip === undefined) throw new RangeError(`the node has no GPU in slot ${slot}`);
  const second = Math.floor(moment.timeMs / SECOND_MS);
  const faults = moment.state.gpuFaults[slot] ?? [];
  const rate = linkRate(moment, chip, faults, link);
  const key = chip.key ^ (0x9100 + link);
  let crc = 0;
  for (const fault of faults) if (fault.kind === "link-errors" && fault.link === link) crc += linkErrors(fault, moment, chip);
  out[at] = Math.round(rate * (1 + 0.012 * bell(key, second)));
  out[at + 1] = Math.round(rate * (1 + 0.012 * bell(key ^ 0x200, second)));
  out[at + 2] = crc;
  // What was broken is sent again; flow control repeats a few times more.
  out[at + 3] = Math.floor(crc * 0.8);
  out[at + 4] = isDown(faults, moment, link) ? 0 : 1;
}

/** Bytes per second each way. */
function linkRate(moment: NodeMoment, chip: Chip, faults: readonly FleetFault[], link: number): number {
  return LINK_BYTES_PER_S * moment.load.link * (1 + 0.01 * bell(chip.key ^ 0x91, link)) * linkShare(faults, moment, link);
}

/** Share of its traffic that a link still carries: one that repeats what it sends carries less. */
function linkShare(faults: readonly FleetFault[], moment: NodeMoment, link: number): number {
  if (isDown(faults, moment, link)) return 0;
  let share = 1;
  for (const fault of faults) {
    if (!("link" in fault) || fault.link !== link || !isActive(fault, moment.timeMs)) continue;
    if (fault.kind === "link-errors") share *= 0.8;
    if (fault.kind === "link-slow") share *= fault.left;
  }
  return share;
}

function isDown(faults: readonly FleetFault[], { boot, timeMs }: NodeMoment, link: number): boolean {
  return faults.some((fault) => fault.kind === "link-down" && fault.link === link && isActive(fault, timeMs) && fault.atMs >= boot.bootMs);
}

function linkErrors(fault: FaultOf<"link-errors">, { boot, timeMs }: NodeMoment, { key }: Chip): number {
  return Math.floor(fault.perSecond * unsteady(key ^ 0x92, activeSeconds(fault, boot.bootMs, timeMs)));
}

/** Counts that most have none of: a `share` of GPUs counts about one each `everyS` seconds. */
function rareCount(key: number, seconds: number, share: number, everyS: number): number {
  return uniform(key, 1) < share ? Math.floor(seconds / (everyS * (0.5 + uniform(key, 2))) + uniform(key, 3)) : 0;
}

function throttleOf(faults: readonly FleetFault[], timeMs: number): number {
  return faults.reduce(
    (slow, fault) => (fault.kind === "hot-gpu" && isActive(fault, timeMs) ? Math.max(slow, fault.slowsStepBy ?? 1) : slow),
    1,
  );
}

/** Degrees above what the GPU would have. */
function heatOfFaults(faults: readonly FleetFault[], timeMs: number): number {
  let sum = 0;
  for (const fault of faults) {
    if (fault.kind !== "hot-gpu" || timeMs < fault.atMs) continue;
    const endMs = Math.min(timeMs, fault.untilMs ?? timeMs);
    const reached = 1 - Math.exp(-(endMs - fault.atMs) / 1000 / HOT_AFTER_S);
    sum += fault.celsius * reached * Math.exp(-(timeMs - endMs) / 1000 / HOT_AFTER_S);
  }
  return sum;
}

const PLACES: ReadonlyMap<string, number> = new Map(GPU_FIELDS.map(({ classic }, place) => [classic, place]));

function fillSentinel(out: Float64Array, at: number, { field, text }: FaultOf<"sentinel">): void {
  const place = PLACES.get(field);
  if (place !== undefined) out[at + place] = Number(text);
}
