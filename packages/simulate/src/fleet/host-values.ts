import { activeSeconds, isActive } from "./fleet-fault.ts";
import { clockAt } from "./node-state.ts";
import type { NodeMoment } from "./node-state.ts";
import { bell, drift, hash, keyOf, uniform, unsteady } from "./noise.ts";

const MEMORY_BYTES = 2_164_195_696_640;
const DISK_BYTES = 3_840_000_000_000 * 8;
/** 400 Gb/s. */
const PORT_BYTES_PER_S = 5e10;
/** What data-parallel training sends through each port. */
const PORT_LOAD_BYTES_PER_S = 8.2e9;
const PACKET_BYTES = 4_096;

export const CPU_MODES = ["idle", "iowait", "irq", "nice", "softirq", "steal", "system", "user"] as const;
type CpuMode = (typeof CPU_MODES)[number];

/** One sample of node_exporter: what it is of, and how much. */
export interface HostSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** When the exporter's process has started: with the node, or at its last restart. */
export function processStartMs({ state, boot, timeMs }: NodeMoment): number {
  const restarts = state.faults.filter(
    (fault) => (fault.kind === "exporter-restart" || fault.kind === "exporter-upgrade") && fault.atMs <= timeMs,
  );
  return Math.max(boot.upMs - 9_000, ...restarts.map(({ atMs }) => atMs + 8_000));
}

/** Everything that node_exporter says of a node, in the order in which it says it: by name. */
export function hostSamples(moment: NodeMoment): readonly HostSample[] {
  const { state, boot, load, timeMs } = moment;
  const key = keyOf(state.identity.key, 20);
  const second = Math.floor(timeMs / 1000);
  const busy = load.busy;
  const offsetS = (clockAt(state, timeMs) - timeMs) / 1000;
  const loadNow = 0.6 + 0.3 * uniform(key, second) + busy * (11 + 2 * drift(key ^ 1, second, 30));
  const used = MEMORY_BYTES * (0.02 + 0.11 * busy + 0.002 * drift(key ^ 2, second, 120));
  const one = (name: string, value: number): HostSample => ({ name, labels: {}, value });
  return [
    one("node_boot_time_seconds", Math.round(boot.bootMs / 1000)),
    ...cpuSamples(moment, key),
    ...edacSamples(moment, key),
    ...filesystemSamples(moment, key),
    ...portSamples(moment, key),
    one("node_load1", round(loadNow, 2)),
    one("node_load15", round(0.7 + 11.2 * load.heat + 0.2 * drift(key ^ 3, second, 900), 2)),
    one("node_load5", round(0.7 + 11.1 * load.heat + 0.5 * drift(key ^ 4, second, 300), 2)),
    one("node_memory_MemAvailable_bytes", pages(MEMORY_BYTES * 0.985 - used)),
    one("node_memory_MemFree_bytes", pages(MEMORY_BYTES * 0.62 - used)),
    one("node_memory_MemTotal_bytes", MEMORY_BYTES),
    ...networkSamples(moment, key),
    one("node_pressure_io_stalled_seconds_total", round(moment.work.busy * 2e-5, 6)),
    one("node_pressure_memory_stalled_seconds_total", 0),
    one("node_time_seconds", round(clockAt(state, timeMs) / 1000, 7)),
    one("node_timex_offset_seconds", offsetS === 0 ? round(2e-6 * bell(key ^ 5, second), 9) : 0),
    one("node_timex_sync_status", offsetS === 0 ? 1 : 0),
    {
      name: "node_uname_info",
      labels: {
        domainname: "(none)",
        machine: "x86_64",
        nodename: state.identity.host,
        release: "5.15.0-122-generic",
        sysname: "Linux",
        version: "#132-Ubuntu SMP Thu Aug 29 13:45:52 UTC 2024",
      },
      value: 1,
    },
    one("node_vmstat_oom_kill", 0),
    one("process_start_time_seconds", round(processStartMs(moment) / 1000, 2)),
  ];
}

function cpuSamples({ state, boot, work, timeMs }: NodeMoment, key: number): readonly HostSample[] {
  const upS = (timeMs - boot.bootMs) / 1000;
  return Array.from({ length: state.plan.cpus }, (_, cpu) => {
    const own = keyOf(key, 30, cpu);
    const busyS = unsteady(own, work.busy);
    const spent: Record<CpuMode, number> = {
      idle: 0,
      iowait: (0.0003 + 0.0006 * uniform(own, 2)) * unsteady(own ^ 1, upS),
      irq: 0,
      nice: 0,
      softirq: (0.0005 + 0.0008 * uniform(own, 3)) * unsteady(own ^ 2, upS),
      steal: 0,
      system: (0.002 + 0.004 * uniform(own, 4)) * unsteady(own ^ 3, upS) + 0.02 * busyS,
      user: (0.008 + 0.006 * uniform(own, 5)) * unsteady(own ^ 4, upS) + (0.05 + 0.03 * uniform(own, 1)) * busyS,
    };
    spent.idle = upS - spent.iowait - spent.softirq - spent.system - spent.user;
    return CPU_MODES.map((mode): HostSample => ({
      name: "node_cpu_seconds_total",
      labels: { cpu: String(cpu), mode },
      value: round(Math.max(0, spent[mode]), 2),
    }));
  }).flat();
}

function edacSamples({ boot, timeMs }: NodeMoment, key: number): readonly HostSample[] {
  const days = (timeMs - boot.bootMs) / 86_400_000;
  return ["node_edac_correctable_errors_total", "node_edac_uncorrectable_errors_total"].flatMap((name, isFatal) =>
    ["0", "1"].map((controller, place): HostSample => ({
      name,
      labels: { controller },
      value: isFatal === 1 || uniform(key, 40 + place) > 0.05 ? 0 : Math.floor(days * 2),
    })),
  );
}

function filesystemSamples({ timeMs, boot }: NodeMoment, key: number): readonly HostSample[] {
  const days = (timeMs - boot.bootMs) / 86_400_000;
  const disks = [
    { device: "/dev/md0", mountpoint: "/", size: 1_888_000_000_000, full: 0.11 + 0.1 * uniform(key, 50) },
    { device: "/dev/md1", mountpoint: "/raid", size: DISK_BYTES, full: Math.min(0.92, 0.2 + 0.4 * uniform(key, 51) + 0.004 * days) },
  ];
  return ["node_filesystem_avail_bytes", "node_filesystem_size_bytes"].flatMap((name) =>
    disks.map(({ device, mountpoint, size, full }): HostSample => ({
      name,
      labels: { device, device_error: "", fstype: "ext4", mountpoint },
      value: pages(name.includes("avail") ? size * (1 - full) - 4096 * (hash(key ^ 52, Math.floor(timeMs / 30_000)) % 5_000) : size),
    })),
  );
}

const PORT_FIELDS = [
  "link_downed_total",
  "link_error_recovery_total",
  "physical_state_id",
  "port_data_received_bytes_total",
  "port_data_transmitted_bytes_total",
  "port_discards_transmitted_total",
  "port_errors_received_total",
  "port_packets_received_total",
  "port_packets_transmitted_total",
  "port_transmit_wait_total",
  "rate_bytes_per_second",
  "state_id",
  "symbol_error_total",
] as const;

function portSamples(moment: NodeMoment, key: number): readonly HostSample[] {
  const ports = Array.from({ length: moment.state.plan.gpusPerNode }, (_, port) => portValues(moment, keyOf(key, 60, port), port));
  return PORT_FIELDS.flatMap((field) =>
    ports.map((values, port): HostSample => ({
      name: `node_infiniband_${field}`,
      labels: { device: `mlx5_${port}`, port: "1" },
      value: values[field],
    })),
  );
}

function portValues({ state, boot, work, timeMs }: NodeMoment, key: number, port: number): Record<(typeof PORT_FIELDS)[number], number> {
  const downs = state.faults.filter(
    (fault) => fault.kind === "port-down" && fault.port === port && fault.atMs >= boot.bootMs && fault.atMs <= timeMs,
  );
  const isDown = downs.some((fault) => isActive(fault, timeMs));
  const upS = (timeMs - boot.bootMs) / 1000;
  const missedS = downs.reduce(
    (sum, { atMs, untilMs = timeMs }) => sum + state.curve.work(Math.min(untilMs, timeMs)).net - state.curve.work(atMs).net,
    0,
  );
  const netS = Math.max(0, work.net - missedS);
  // A counter of the card counts in units of four bytes.
  const words = (own: number, scale: number): number =>
    4 * Math.floor((PORT_LOAD_BYTES_PER_S / 4) * scale * unsteady(own, netS) + 90 * upS);
  const errors = state.faults.reduce(
    (sum, fault) =>
      fault.kind === "port-errors" && fault.port === port
        ? sum + Math.floor(fault.perSecond * unsteady(key ^ 5, activeSeconds(fault, boot.bootMs, timeMs)))
        : sum,
    0,
  );
  const [received, sent] = [words(key, 1), words(key ^ 1, 1 + 0.001 * uniform(key, 2))];
  return {
    link_downed_total: downs.length + (uniform(key, 3) < 0.03 ? 1 : 0),
    link_error_recovery_total: Math.floor(errors / 2_000),
    physical_state_id: isDown ? 2 : 5,
    port_data_received_bytes_total: received,
    port_data_transmitted_bytes_total: sent,
    port_discards_transmitted_total: Math.floor(errors / 60),
    port_errors_received_total: Math.floor(errors / 25),
    port_packets_received_total: Math.floor(received / PACKET_BYTES),
    port_packets_transmitted_total: Math.floor(sent / PACKET_BYTES),
    port_transmit_wait_total: Math.floor(310 * unsteady(key ^ 4, netS)),
    rate_bytes_per_second: PORT_BYTES_PER_S,
    state_id: isDown ? 1 : 4,
    symbol_error_total: (uniform(key, 5) < 0.02 ? Math.floor(upS / 40_000) : 0) + errors,
  };
}

function networkSamples({ boot, work, timeMs }: NodeMoment, key: number): readonly HostSample[] {
  const upS = (timeMs - boot.bootMs) / 1000;
  const counted = (own: number): number => Math.floor(21_000 * unsteady(own, upS) + 1.4e6 * unsteady(own ^ 1, work.busy));
  const one = (name: string, value: number): HostSample => ({ name: `node_network_${name}`, labels: { device: "bond0" }, value });
  return [
    one("carrier", 1),
    one("receive_bytes_total", counted(keyOf(key, 70))),
    one("receive_drop_total", Math.floor(upS / 5_000)),
    one("receive_errs_total", 0),
    one("transmit_bytes_total", counted(keyOf(key, 71))),
    one("transmit_errs_total", 0),
    one("up", 1),
  ];
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Whole pages of memory or blocks of a disk. */
function pages(bytes: number): number {
  return Math.max(0, Math.round(bytes / 4096)) * 4096;
}
