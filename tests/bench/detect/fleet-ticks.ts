import { BURST_SILENCE_MS, burstKey, fieldOf, fleetEventSchema, identifySeries } from "@trainwatch/core";
import type { FleetEvent, FleetEventView } from "@trainwatch/core";
import { FLEET_DETECTOR_FIELDS } from "@trainwatch/detect";
import type { FleetColumn, FleetTick, FleetTopology } from "@trainwatch/detect";
import { kernelLogParser } from "@trainwatch/formats";
import type { HealthParser } from "@trainwatch/formats";
import { EXPORTERS, kmsgText } from "@trainwatch/simulate";
import type { ExporterName, RankAssignment, SimulatedFleet, SimulatedNode } from "@trainwatch/simulate";

/** A reading is shown for so long after it was taken. */
const FRESH_MS = 90_000;
const READ: ReadonlySet<string> = new Set(FLEET_DETECTOR_FIELDS);

interface Reading {
  value: number;
  timeMs: number;
  hasEnded: boolean;
}

interface Row {
  readonly field: string;
  readonly entity: string;
  readonly label: string;
  readonly reading: Reading;
}

/** What the server makes of one exporter of one node. */
interface Source {
  version: string;
  /** By place among the exporter's series; null where no detector reads it. */
  rows: readonly (Row | null)[];
}

/** The fleet as the detect worker sees it, from what the simulated exporters and kernels say: scrapes at each tick, identified by core, and bursts of parsed kernel lines. */
export class FleetTicks {
  private readonly fleet: SimulatedFleet;
  private readonly topology: FleetTopology;
  private readonly sources = new Map<string, Source>();
  private readonly rows = new Map<string, Row>();
  private layout: readonly {
    readonly field: string;
    readonly rows: readonly Row[];
    readonly entities: readonly string[];
    readonly labels: readonly string[];
  }[] = [];
  private isLayoutOld = true;
  private readonly lastSampleAtMs = new Map<string, number | null>();
  private readonly kernels: readonly KernelReader[];

  constructor(fleet: SimulatedFleet, run: string, assignments: readonly RankAssignment[]) {
    this.fleet = fleet;
    this.topology = topologyOf(fleet, run, assignments);
    this.kernels = fleet.nodes.map((node) => new KernelReader(node, fleet.plan.startMs));
    for (const { machineId } of fleet.nodes) this.lastSampleAtMs.set(machineId, null);
  }

  at(timeMs: number): FleetTick {
    for (const node of this.fleet.nodes) for (const exporter of EXPORTERS) this.scrape(node, exporter, timeMs);
    return {
      timeMs,
      topology: this.topology,
      columns: this.columns(timeMs),
      events: this.kernels.flatMap((kernel) => kernel.until(timeMs)),
      lastSampleAtMs: new Map(this.lastSampleAtMs),
    };
  }

  private scrape(node: SimulatedNode, exporter: ExporterName, timeMs: number): void {
    const scrape = node.scrape(exporter, timeMs);
    const key = `${node.index} ${exporter}`;
    if (scrape === null) return;
    this.lastSampleAtMs.set(node.machineId, timeMs);
    const known = this.sources.get(key);
    const source = known?.version === scrape.version ? known : this.identify(key, node, scrape);
    for (const [place, row] of source.rows.entries()) {
      if (row === null) continue;
      row.reading.value = scrape.values[place] ?? Number.NaN;
      row.reading.timeMs = timeMs;
      row.reading.hasEnded = false;
    }
  }

  private identify(
    key: string,
    node: SimulatedNode,
    { version, series }: { readonly version: string; readonly series: readonly (readonly [string, Readonly<Record<string, string>>])[] },
  ): Source {
    for (const row of this.sources.get(key)?.rows ?? []) if (row !== null) row.reading.hasEnded = true;
    const rows = series.map(([name, labels]): Row | null => {
      if (!READ.has(fieldOf(name)?.name ?? "")) return null;
      const {
        metric,
        entity,
        labels: rest,
        key: identity,
      } = identifySeries(name, { ...labels, nodename: node.host, machine_id: node.machineId });
      if (entity === null) return null;
      const label = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
      const row = this.rows.get(identity) ?? {
        field: metric,
        entity: entity.id,
        label,
        reading: { value: Number.NaN, timeMs: Number.NEGATIVE_INFINITY, hasEnded: false },
      };
      this.rows.set(identity, row);
      return row;
    });
    this.isLayoutOld = true;
    const source = { version, rows };
    this.sources.set(key, source);
    return source;
  }

  private columns(timeMs: number): readonly FleetColumn[] {
    if (this.isLayoutOld) {
      const byField = new Map<string, Row[]>();
      for (const row of this.rows.values()) {
        const own = byField.get(row.field);
        if (own === undefined) byField.set(row.field, [row]);
        else own.push(row);
      }
      this.layout = [...byField].map(([field, rows]) => ({
        field,
        rows,
        entities: rows.map(({ entity }) => entity),
        labels: rows.map(({ label }) => label),
      }));
      this.isLayoutOld = false;
    }
    return this.layout.map(({ field, rows, entities, labels }) => ({
      field,
      entities,
      labels,
      values: Float64Array.from(rows, ({ reading }) => reading.value),
      timesMs: Float64Array.from(rows, ({ reading }) => reading.timeMs),
      has: Uint8Array.from(rows, (row) => stateOf(row, timeMs)),
    }));
  }
}

function stateOf({ field, reading }: Row, nowMs: number): number {
  if (reading.hasEnded) return 2;
  if (nowMs - reading.timeMs > FRESH_MS) return 0;
  const known = fieldOf(field);
  const isOut =
    known !== null &&
    (known.sentinels.includes(reading.value) || reading.value < (known.min ?? -Infinity) || reading.value > (known.max ?? Infinity));
  return isOut ? 3 : 1;
}

function topologyOf({ nodes }: SimulatedFleet, run: string, assignments: readonly RankAssignment[]): FleetTopology {
  const ranks = new Map(assignments.map((assignment) => [assignment.gpuUuid, assignment]));
  return {
    nodes: nodes.map(({ machineId, host }) => ({ id: machineId, host, cordoned: false })),
    gpus: nodes.flatMap((node) =>
      node.gpusAt(0).map(({ uuid, index, model }) => {
        const rank = ranks.get(uuid);
        return {
          id: uuid,
          nodeId: node.machineId,
          host: node.host,
          index,
          model,
          rack: node.rack,
          runId: rank === undefined ? null : 1,
          run: rank === undefined ? null : run,
          rank: rank?.rank ?? null,
          stage: rank?.pp ?? null,
        };
      }),
    ),
  };
}

interface OpenBurst {
  view: FleetEventView;
  isNew: boolean;
}

/** Reads a node's kernel log as the agent does, and folds it into bursts as the server does. */
class KernelReader {
  private readonly node: SimulatedNode;
  private readMs: number;
  private parser: { readonly bootMs: number; readonly parser: HealthParser } | null = null;
  private found: FleetEvent[] = [];
  private readonly bursts = new Map<string, OpenBurst>();

  constructor(node: SimulatedNode, fromMs: number) {
    this.node = node;
    this.readMs = fromMs;
  }

  /** Bursts that are new or have grown. */
  until(timeMs: number): readonly FleetEventView[] {
    for (const line of this.node.kernelLog(this.readMs, timeMs)) {
      const bootMs = Math.round(line.clockMs - line.sinceBootUs / 1000);
      if (this.parser?.bootMs !== bootMs) this.parser = { bootMs, parser: this.parserFrom(bootMs) };
      this.parser.parser.push(new TextEncoder().encode(kmsgText(line)));
    }
    this.readMs = timeMs;
    for (const event of this.found.splice(0)) this.fold(event);
    const news = [...this.bursts.values()].filter(({ isNew }) => isNew);
    for (const burst of news) burst.isNew = false;
    return news.map(({ view }) => view);
  }

  private fold(event: FleetEvent): void {
    const key = burstKey(event);
    const open = this.bursts.get(key);
    const lastTimeMs = event.lastTimeMs ?? event.timeMs;
    if (open !== undefined && event.timeMs - open.view.lastTimeMs <= BURST_SILENCE_MS) {
      open.view = { ...open.view, count: open.view.count + event.count, lastTimeMs };
      open.isNew = true;
      return;
    }
    const { timeMs, kind, code, severity, entity, text, count } = event;
    const view = {
      id: (this.node.index + 1) * 100_000 + this.bursts.size,
      timeMs,
      lastTimeMs,
      kind,
      code,
      severity,
      entity,
      text,
      count,
      nodeId: this.node.machineId,
      host: this.node.host,
    };
    // A burst that is over keeps its id under a key of its own.
    if (open !== undefined) this.bursts.set(`${key} ${open.view.id}`, open);
    this.bursts.set(key, { view, isNew: true });
  }

  private parserFrom(bootTimeMs: number): HealthParser {
    return kernelLogParser(
      {
        event: (event) => void this.found.push(fleetEventSchema.parse({ ...event, timeMs: event.timeMs ?? bootTimeMs })),
        reading: () => undefined,
        issue: () => undefined,
      },
      { node: this.node.machineId, bootTimeMs },
    );
  }
}
