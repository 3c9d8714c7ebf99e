import type { FleetEventView } from "@trainwatch/core";
import { FLEET_TICK_MS } from "@trainwatch/detect";
import type { FleetColumn, FleetTick, FleetTopology } from "@trainwatch/detect";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import type { Random } from "@trainwatch/stats";
import { DAY_S, phaseOf } from "./fleet-phases.ts";

/** 2026-01-01. */
export const START_MS = 1_767_225_600_000;
export const GPUS = 8;
export const LINKS = 18;
export const PORTS = 8;

/** What goes wrong, on one thing; `from` and `until` are seconds from the start. Ids by number. */
export interface WorldFault {
  readonly kind: string;
  readonly node: number;
  readonly gpu: number;
  readonly link: number;
  readonly from: number;
  readonly until: number;
  /** How bad: what it means depends on the kind. */
  readonly size: number;
}

export interface WorldPlan {
  readonly nodes: number;
  readonly seed: number;
  readonly faults?: readonly WorldFault[];
  /** Share of scrapes that do not arrive; one in 250 by default. */
  readonly missed?: number;
  /** Where in the jobs' schedule it begins, seconds. */
  readonly startS?: number;
}

interface Field {
  readonly column: FleetColumn;
  /** Rows a node. */
  readonly rows: number;
  readonly draw: (at: Moment, row: number) => number;
}

/** A node's scrape, and what the node does then. */
interface Moment {
  readonly node: number;
  readonly second: number;
  /** Seconds since its last reading. */
  readonly span: number;
  readonly busy: number;
  readonly link: number;
  readonly heat: number;
  readonly ambient: number;
  readonly isOn: (kind: string, gpu: number, link?: number) => number;
}

/**
 * A fleet by the second, as its exporters would give it: jobs with checkpoints, restarts and ends, warm afternoons, chips that differ, links and memories that count an
 * error now and then or a burst of them, scrapes at a phase of their own that come late or not at all, counters that are reset, sentinels. Made for the detectors' nulls
 * alone and of no code of theirs.
 */
export class FleetWorld {
  readonly topology: FleetTopology;
  private readonly plan: WorldPlan;
  private readonly random: Random;
  private readonly fields: readonly Field[];
  private readonly scrapedS: Float64Array;
  private readonly heat: Float64Array;
  private readonly phaseS: Float64Array;
  private eventId = 1;

  constructor(plan: WorldPlan) {
    this.plan = plan;
    this.random = seededRandom(plan.seed);
    this.topology = topologyOf(plan.nodes);
    this.scrapedS = new Float64Array(plan.nodes).fill(Number.NaN);
    this.heat = new Float64Array(plan.nodes);
    this.phaseS = Float64Array.from({ length: plan.nodes }, () => this.random() * 10);
    this.fields = fieldsOf(plan, this.topology, this.random);
  }

  /** Ticks are asked for in order, from 0. */
  tick(number: number): FleetTick {
    const second = (number * FLEET_TICK_MS) / 1000;
    for (let node = 0; node < this.plan.nodes; node++) this.scrape(node, second);
    return {
      timeMs: START_MS + second * 1000,
      topology: this.topology,
      columns: this.fields.map(({ column }) => column),
      events: this.eventsAt(second),
      lastSampleAtMs: new Map(
        this.topology.nodes.map(({ id }, node) => [
          id,
          Number.isNaN(this.scrapedS[node]) ? null : START_MS + (this.scrapedS[node] ?? 0) * 1000,
        ]),
      ),
    };
  }

  /** The newest scrape that has arrived: about a second late, with some jitter, and some not at all. */
  private scrape(node: number, second: number): void {
    const due = Math.floor((second - 1 - (this.phaseS[node] ?? 0)) / 10) * 10 + (this.phaseS[node] ?? 0);
    const before = this.scrapedS[node] ?? Number.NaN;
    if (due < 0 || due <= before || this.random() < (this.plan.missed ?? 0.004) || this.isFaulty("node-lost", node, due)) return;
    const at = due + 0.3 * this.random();
    const run = runOf(node, this.plan.nodes);
    const { busy, link } = phaseOf(run, at + (this.plan.startS ?? 0));
    const span = Number.isNaN(before) ? 10 : at - before;
    this.heat[node] = (this.heat[node] ?? 0) + (1 - Math.exp(-span / 120)) * (busy - (this.heat[node] ?? 0));
    const moment: Moment = {
      node,
      second: at,
      span,
      busy,
      link: link * (1 + 0.015 * Math.sin((2 * Math.PI * at) / DAY_S)) * (1 + 0.004 * normalDraw(this.random)),
      heat: this.heat[node] ?? 0,
      ambient: 3 * Math.sin((2 * Math.PI * at) / DAY_S),
      isOn: (kind, gpu, of) => this.sizeOf(kind, node, gpu, of ?? null, at),
    };
    for (const { column, rows, draw } of this.fields) this.fill(column, node * rows, rows, moment, draw);
    this.scrapedS[node] = at;
  }

  private fill({ values, timesMs, has }: FleetColumn, first: number, rows: number, moment: Moment, draw: Field["draw"]): void {
    const isSentinel = this.random() < 2e-5;
    for (let row = first; row < first + rows; row++) {
      const value = draw(moment, row);
      if (Number.isNaN(value)) {
        if (moment.second * 1000 + START_MS - (timesMs[row] ?? 0) > 90_000) has[row] = 0;
        continue;
      }
      values[row] = value;
      timesMs[row] = START_MS + moment.second * 1000;
      has[row] = isSentinel ? 3 : 1;
    }
  }

  private sizeOf(kind: string, node: number, gpu: number, link: number | null, second: number): number {
    let size = 0;
    for (const fault of this.plan.faults ?? [])
      if (
        fault.kind === kind &&
        fault.node === node &&
        fault.gpu === gpu &&
        (link === null || fault.link === link) &&
        second >= fault.from &&
        second < fault.until
      )
        size = fault.size;
    return size;
  }

  private isFaulty(kind: string, node: number, second: number): boolean {
    return (this.plan.faults ?? []).some(
      (fault) => fault.kind === kind && fault.node === node && second >= fault.from && second < fault.until,
    );
  }

  /** Kernel lines since the tick before: what ends jobs, what users do, and faults. */
  private eventsAt(second: number): readonly FleetEventView[] {
    const since = second - FLEET_TICK_MS / 1000;
    const events: FleetEventView[] = [];
    for (const { id, runId, nodeId, host } of this.topology.gpus) {
      if (
        runId === null ||
        phaseOf(runId, since + (this.plan.startS ?? 0)).busy <= 0 ||
        phaseOf(runId, second + (this.plan.startS ?? 0)).busy > 0
      )
        continue;
      events.push(this.event(45, id, nodeId, host, second - this.random() * 5, "pid=1, Ch 00000008"));
    }
    for (const { kind, node, gpu, from, size } of this.plan.faults ?? []) {
      if (kind !== "xid" || from <= since || from > second) continue;
      const place = this.topology.gpus[node * GPUS + gpu];
      if (place !== undefined) events.push(this.event(size, place.id, place.nodeId, place.host, from, "pid=1"));
    }
    return events;
  }

  private event(code: number, id: string, nodeId: string, host: string, second: number, text: string): FleetEventView {
    const timeMs = START_MS + second * 1000;
    return {
      id: this.eventId++,
      timeMs,
      lastTimeMs: timeMs,
      kind: "xid",
      code,
      severity: "info",
      nodeId,
      host,
      entity: { kind: "gpu", id },
      text: `Xid (PCI:0000:3b:00): ${code}, ${text}`,
      count: 1,
    };
  }
}

/** Two jobs over 85 % of the nodes; the others run nothing. */
export function runOf(node: number, nodes: number): number | null {
  return node < 0.6 * nodes ? 1 : node < 0.85 * nodes ? 2 : null;
}

export const gpuIdOf = (node: number, gpu: number): string => `GPU-${String(node).padStart(6, "0")}-${gpu}`;
export const nodeIdOf = (node: number): string => `machine-${node}`;

function topologyOf(nodes: number): FleetTopology {
  const numbers = Array.from({ length: nodes }, (_, node) => node);
  return {
    nodes: numbers.map((node) => ({ id: nodeIdOf(node), host: `c${node}`, cordoned: false })),
    gpus: numbers.flatMap((node) =>
      Array.from({ length: GPUS }, (_, gpu) => {
        const runId = runOf(node, nodes);
        return {
          id: gpuIdOf(node, gpu),
          nodeId: nodeIdOf(node),
          host: `c${node}`,
          index: gpu,
          model: "NVIDIA H100 80GB HBM3",
          rack: `r${Math.floor(node / 4)}`,
          runId,
          run: runId === null ? null : `bench/run${runId}`,
          rank: runId === null ? null : node * GPUS + gpu,
          stage: null,
        };
      }),
    ),
  };
}

function fieldsOf({ nodes }: WorldPlan, topology: FleetTopology, random: Random): readonly Field[] {
  const gpus = topology.gpus.map(({ id }) => id);
  const links = gpus.flatMap((id) => Array.from({ length: LINKS }, (_, link) => `${id}/link/${link}`));
  const ports = topology.nodes.flatMap(({ id }) => Array.from({ length: PORTS }, (_, port) => `${id}/port/mlx5_${port}:1`));
  const standing = (length: number, sigma: number): Float64Array => Float64Array.from({ length }, () => sigma * normalDraw(random));
  const gauge = (field: string, entities: readonly string[], draw: Field["draw"]): Field => ({
    column: emptyColumn(field, entities),
    rows: entities.length / nodes,
    draw,
  });
  /** Grows by what `grow` says since the reading before. */
  const counter = (field: string, entities: readonly string[], grow: Field["draw"]): Field => {
    const levels = Float64Array.from(entities, () => Math.floor(random() * 50));
    return gauge(field, entities, (at, row) => (levels[row] = (levels[row] ?? 0) + grow(at, row)));
  };
  /** A share of the rows count about one each `everyS`; and any row, once in `burstS`, up to a hundred at once. */
  const rare = (length: number, share: number, everyS: number, burstS: number): ((at: Moment, row: number) => number) => {
    const own = Float64Array.from({ length }, () => (random() < share ? 1 / (everyS * (0.5 + random())) : 0));
    return ({ span }, row) => Number(random() < (own[row] ?? 0) * span) + (random() < span / burstS ? Math.ceil(100 * random() ** 3) : 0);
  };
  const gpuOf = (row: number): number => row % GPUS;

  const temperature = standing(gpus.length, 2.5);
  const clock = standing(gpus.length, 15);
  const traffic = standing(gpus.length, 0.01);
  const linkTraffic = standing(links.length, 0.01);
  const capped = Float64Array.from({ length: gpus.length }, () => 0.4 * random());
  const crc = rare(links.length, 0.03, DAY_S, 2_000 * DAY_S);
  const sbe = rare(gpus.length, 0.05, 1.2 * DAY_S, 500 * DAY_S);
  const replay = rare(gpus.length, 0.2, DAY_S / 6, 100 * DAY_S);
  const symbol = rare(ports.length, 0.1, 1_200, 60 * DAY_S);
  const [violation, thermal] = [new Float64Array(gpus.length), new Float64Array(gpus.length)];
  const faultedCounts =
    (kind: string, of: (at: Moment, row: number) => number): Field["draw"] =>
    (at, row) =>
      of(at, row) + Math.round(at.isOn(kind, gpuOf(row)) * at.span);

  return [
    gauge("DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", gpus, (at, row) =>
      gone(at, row)
        ? Number.NaN
        : at.isOn("gpu-idle", gpuOf(row)) > 0
          ? 0
          : Math.max(0, Math.min(1, 0.97 * at.busy + 0.01 * normalDraw(random) * at.busy)),
    ),
    gauge("DCGM_FI_DEV_GPU_TEMP_CELSIUS", gpus, (at, row) =>
      gone(at, row)
        ? Number.NaN
        : Math.round(30 + at.ambient + (temperature[row] ?? 0) + 30 * at.heat + 0.7 * normalDraw(random) + at.isOn("hot", gpuOf(row))),
    ),
    gauge("DCGM_FI_DEV_SM_CLOCK", gpus, (at, row) =>
      at.busy === 0
        ? 345
        : Math.round(
            (1_980 + (clock[row] ?? 0) - (random() < 0.3 ? 15 * Math.floor(12 * random()) : 0)) * (1 - at.isOn("clock-low", gpuOf(row))),
          ),
    ),
    gauge(
      "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
      gpus,
      (at, row) => (at.busy === 0 ? 1 : random() < 0.3 ? 4 : 0) | (at.isOn("power-brake", gpuOf(row)) > 0 ? 0x80 : 0),
    ),
    gauge(
      "DCGM_FI_DEV_POWER_VIOLATION",
      gpus,
      (at, row) => (violation[row] = (violation[row] ?? 0) + at.span * 1e9 * at.busy * (capped[row] ?? 0) * (0.8 + 0.4 * random())),
    ),
    gauge("DCGM_FI_DEV_THERMAL_VIOLATION", gpus, (at, row) => {
      // A blip of some milliseconds now and then is how warm GPUs live.
      const blip = random() < 1e-4 ? 2e7 : 0;
      return (thermal[row] = (thermal[row] ?? 0) + blip + at.span * 1e9 * at.isOn("thermal", gpuOf(row)));
    }),
    counter("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", gpus, faultedCounts("sbe", sbe)),
    counter("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", gpus, once("dbe")),
    gauge("DCGM_FI_DEV_ROW_REMAP_FAILED", gpus, (at, row) => Number(at.isOn("remap-failed", gpuOf(row)) > 0)),
    gauge("DCGM_FI_DEV_ROW_REMAP_PENDING", gpus, () => 0),
    counter("DCGM_FI_DEV_PCIE_REPLAY_TOTAL", gpus, faultedCounts("pcie", replay)),
    counter("DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL", gpus, once("recovery-failed")),
    gauge("DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO", gpus, (at, row) => (at.isOn("ber", gpuOf(row)) > 0 ? 1e-10 : 1e-15 * (1 + random()))),
    gauge(
      "DCGM_FI_PROF_NVLINK_TX_BYTES",
      gpus,
      (at, row) => 3.2e11 * at.link * (1 + (traffic[row] ?? 0) + 0.01 * normalDraw(random)) * (1 - at.isOn("gpu-slow", gpuOf(row))),
    ),
    gauge("DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK", links, (at, row) => {
      const [gpu, link] = linkOf(row);
      return 1.78e10 * at.link * (1 + (linkTraffic[row] ?? 0) + 0.012 * normalDraw(random)) * (1 - at.isOn("link-slow", gpu, link));
    }),
    counter(
      "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL",
      links,
      (at, row) => crc(at, row) + Math.round(at.isOn("link-errors", ...linkOf(row)) * at.span),
    ),
    gauge("DCGM_FI_DEV_NVLINK_GET_STATE", links, (at, row) => (at.isOn("link-down", ...linkOf(row)) > 0 ? 0 : 1)),
    gauge("node_infiniband_state_id", ports, (at, row) => (at.isOn("port-down", gpuOf(row)) > 0 ? 1 : 4)),
    counter("node_infiniband_symbol_error_total", ports, faultedCounts("port-errors", symbol)),
    counter("node_infiniband_link_downed_total", ports, () => 0),
  ];
}

function gone(at: Moment, row: number): boolean {
  return at.isOn("gpu-lost", row % GPUS) > 0;
}

/** One count, with the first reading after it began. */
function once(kind: string): Field["draw"] {
  const counted = new Set<number>();
  return (at, row) => {
    if (at.isOn(kind, row % GPUS) === 0 || counted.has(row)) return 0;
    counted.add(row);
    return 1;
  };
}

function linkOf(row: number): [gpu: number, link: number] {
  return [Math.floor(row / LINKS) % GPUS, row % LINKS];
}

function emptyColumn(field: string, entities: readonly string[]): FleetColumn {
  const length = entities.length;
  return {
    field,
    entities,
    labels: Array.from({ length }, () => ""),
    values: new Float64Array(length).fill(Number.NaN),
    timesMs: new Float64Array(length),
    has: new Uint8Array(length),
  };
}
