import { DRIVER, bootAt, pciAddress } from "./inventory.ts";
import type { Boot } from "./inventory.ts";
import type { NodeState, XidAt } from "./node-state.ts";
import { clockAt } from "./node-state.ts";
import { hash, hexDigits, keyOf, uniform } from "./noise.ts";

/** A line of a node's kernel log. */
export interface KernelLine {
  /** Epoch milliseconds, by the true clock. */
  readonly timeMs: number;
  /** The same by the node's own. */
  readonly clockMs: number;
  /** Syslog: 3 error, 4 warning, 6 informational. */
  readonly level: number;
  /** Grows within a boot. */
  readonly sequence: number;
  /** Microseconds since the boot. */
  readonly sinceBootUs: number;
  readonly text: string;
}

/** As `/dev/kmsg` gives a line to its reader. */
export function kmsgText({ level, sequence, sinceBootUs, text }: KernelLine): string {
  return `${level},${sequence},${sinceBootUs},-;${text}\n`;
}

const CHATTER_EVERY_MS = 900_000;
const CHATTER = [
  "perf: interrupt took too long (2514 > 2500), lowering kernel.perf_event_max_sample_rate to 79500",
  "TCP: request_sock_TCP: Possible SYN flooding on port 9400. Sending cookies.  Check SNMP counters.",
  "nfs: server store-04 not responding, still trying",
  "nfs: server store-04 OK",
  'audit: type=1400 audit(0.000:31): apparmor="STATUS" operation="profile_replace" profile="unconfined"',
  "mlx5_core 0000:18:00.0: mlx5_pcie_event:301:(pid 0): Detected insufficient power on the PCIe slot (27W).",
];

interface Said {
  readonly timeMs: number;
  readonly level: number;
  readonly text: string;
}

/** Lines from `fromMs` until before `toMs`, in order of time. */
export function kernelLog(state: NodeState, fromMs: number, toMs: number): readonly KernelLine[] {
  return state.identity.boots.flatMap((boot) => {
    const [from, to] = [Math.max(fromMs, boot.bootMs), Math.min(toMs, boot.downMs)];
    if (from >= to) return [];
    const said = [...bootLines(boot), ...xidLines(state), ...chatter(state, from, to)]
      .filter(({ timeMs }) => timeMs >= from && timeMs < to)
      .sort((a, b) => a.timeMs - b.timeMs);
    return said.map((line, index): KernelLine => {
      const sinceBootUs = Math.round((line.timeMs - boot.bootMs) * 1000) + index;
      // One number a millisecond since the boot: unique and growing, without all lines before having to be counted.
      return { ...line, clockMs: clockAt(state, line.timeMs), sinceBootUs, sequence: Math.floor(sinceBootUs / 1000) * 4 + (index % 4) };
    });
  });
}

function bootLines({ bootMs }: Boot): readonly Said[] {
  return [
    { timeMs: bootMs, level: 5, text: "Linux version 5.15.0-122-generic (buildd@lcy02-amd64-034) #132-Ubuntu SMP" },
    { timeMs: bootMs + 9_400, level: 6, text: "nvidia-nvlink: Nvlink Core is being initialized, major device number 510" },
    {
      timeMs: bootMs + 10_100,
      level: 6,
      text: `NVRM: loading NVIDIA UNIX x86_64 Kernel Module  ${DRIVER}  Release Build  (dvs-builder@U22-I3-B14-3-1)`,
    },
  ];
}

function chatter({ identity }: NodeState, fromMs: number, toMs: number): readonly Said[] {
  const key = keyOf(identity.key, 8);
  const said: Said[] = [];
  for (let period = Math.floor(fromMs / CHATTER_EVERY_MS); period * CHATTER_EVERY_MS < toMs; period++) {
    if (uniform(key, period) > 0.3) continue;
    const text = CHATTER[hash(key, period) % CHATTER.length] ?? "";
    said.push({ timeMs: Math.round((period + uniform(key ^ 1, period)) * CHATTER_EVERY_MS), level: 4, text });
  }
  return said;
}

/** The driver's lines about an XID. */
function xidLines(state: NodeState): readonly Said[] {
  const faults = state.faults.flatMap(({ kind, atMs, ...rest }) =>
    kind === "port-down" && "port" in rest
      ? [{ timeMs: atMs, level: 6, text: `mlx5_core 0000:${(0x18 + 0x10 * rest.port).toString(16)}:00.0 ibp${rest.port}s0: Link down` }]
      : [],
  );
  return [...faults, ...state.xids.flatMap((xid) => [...introduction(state, xid), ...xidText(state, xid)])];
}

/** Before the first XID of a GPU since the boot the driver says which one it is. */
function introduction(state: NodeState, { timeMs, slot }: XidAt): readonly Said[] {
  const { bootMs, chips } = bootAt(state.identity, timeMs);
  const chip = chips[slot];
  const isFirst = !state.xids.some((other) => other.slot === slot && other.timeMs < timeMs && other.timeMs >= bootMs);
  if (chip === undefined || !isFirst) return [];
  const pci = pciAddress(slot);
  return [`GPU at PCI:${pci}: ${chip.uuid}`, `GPU Board Serial Number: ${chip.serial}`].map((text) => ({
    timeMs,
    level: 4,
    text: `NVRM: ${text}`,
  }));
}

function xidText(state: NodeState, { timeMs, slot, code }: XidAt): readonly Said[] {
  const pci = pciAddress(slot);
  const key = keyOf(state.identity.key, 9, slot, timeMs);
  const line = (after: number, text: string): Said => ({ timeMs: timeMs + after, level: 4, text: `NVRM: ${text}` });
  const xid = (after: number, rest: string): Said => line(after, `Xid (PCI:${pci}): ${code}, ${rest}`);
  const pid = 100_000 + (hash(key, 1) % 4_000_000);
  const trainer = `pid=${pid}, name=pt_main_thread`;
  switch (code) {
    case 79:
      return [xid(0, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus."), line(1, `GPU ${pci}.0: GPU has fallen off the bus.`)];
    case 45:
      return [xid(0, `${trainer}, Ch ${hexDigits(key, 8)}`)];
    case 63:
      return [
        xid(
          0,
          `pid='<unknown>', name=<unknown>, Row Remapper: New row (0x${hexDigits(key, 16)}) marked for remapping, reset gpu to activate.`,
        ),
      ];
    case 64:
      return [xid(0, `pid='<unknown>', name=<unknown>, Row Remapper: Error recording row (0x${hexDigits(key, 16)}) for remapping.`)];
    case 48:
      return [
        xid(
          0,
          `pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 3, subpartition 1.`,
        ),
      ];
    case 74: {
      const link = state.faults.find((fault) => fault.kind === "link-down" && fault.gpu === slot && fault.atMs === timeMs);
      const number = link?.kind === "link-down" ? link.link : 0;
      return [
        xid(0, `pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link ${number}(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)`),
      ];
    }
    default:
      return [xid(0, `${trainer}, Ch ${hexDigits(key, 8)}`)];
  }
}
