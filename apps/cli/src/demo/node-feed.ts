import { fleetEventSchema, type FleetEvent } from "@trainwatch/core";
import { kernelLogParser, type HealthParser } from "@trainwatch/formats";
import { EXPORTERS, kmsgText, type SimulatedNode } from "@trainwatch/simulate";
import { systemClock } from "../agent/clock.ts";
import type { HttpClient } from "../agent/http/request.ts";
import type { ReadingBatch, Source } from "../agent/source.ts";
import { scrape } from "../agent/sources/scrape.ts";
import type { FleetSender } from "./fleet-sender.ts";

/** A node says at least so often that its log is being read, though nothing is in it. */
const LOG_ALIVE_MS = 60_000;

export interface NodeFeedWorld {
  /** Where the node's exporters answer. */
  readonly exportersUrl: string;
  readonly http: HttpClient;
  readonly sender: FleetSender;
  readonly say: (line: string) => void;
}

/** What an agent on one simulated node does: scrapes its exporters and reads its kernel's log. */
export class NodeFeed {
  private readonly node: SimulatedNode;
  private readonly sender: FleetSender;
  private readonly sources: readonly Source[];
  private taken: ReadingBatch[] = [];
  private seq = 0;
  private loggedToMs: number;
  private log: { readonly bootTimeMs: number; readonly parser: HealthParser } | null = null;
  private found: FleetEvent[] = [];
  private toldAtMs = Number.NEGATIVE_INFINITY;

  /** @param logFromMs kernel lines from then on are told */
  constructor(node: SimulatedNode, logFromMs: number, { exportersUrl, http, sender, say }: NodeFeedWorld) {
    this.node = node;
    this.sender = sender;
    this.loggedToMs = logFromMs;
    this.sources = EXPORTERS.map((exporter) => {
      const url = `${exportersUrl}/nodes/${node.index}/${exporter}/metrics`;
      const options = scrape.options.parse({ kind: "scrape", name: exporter, url });
      return scrape.create(options, {
        name: exporter,
        node: { host: node.host, machineId: node.machineId, bootId: null, rack: node.rack },
        clock: systemClock,
        http,
        take: ({ readings = [] }) => {
          this.taken.push(...readings);
          return Promise.resolve();
        },
        state: () => undefined,
        say,
      });
    });
  }

  /** What the exporters show now. One that is down is told to have ended by the scrape itself. */
  async scrape(stop: AbortSignal): Promise<readonly ReadingBatch[]> {
    await Promise.allSettled(this.sources.map((source) => source.collect(stop)));
    const taken = this.taken;
    this.taken = [];
    return taken;
  }

  /** Tells what the kernel has logged until `nowMs`. */
  async tellLog(nowMs: number): Promise<void> {
    const events = this.eventsUntil(nowMs);
    if (events.length === 0 && nowMs - this.toldAtMs < LOG_ALIVE_MS) return;
    const { host, machineId } = this.node;
    this.toldAtMs = nowMs;
    await this.sender.events({
      source: `demo/${host}/kmsg`,
      seq: this.seq++,
      node: { host, machineId, bootId: this.node.bootIdAt(nowMs) },
      events: [...events],
    });
  }

  private eventsUntil(nowMs: number): readonly FleetEvent[] {
    for (const line of this.node.kernelLog(this.loggedToMs, nowMs)) {
      const bootTimeMs = Math.round(line.clockMs - line.sinceBootUs / 1000);
      if (this.log?.bootTimeMs !== bootTimeMs) this.log = { bootTimeMs, parser: this.logParser(bootTimeMs) };
      this.log.parser.push(new TextEncoder().encode(kmsgText(line)));
    }
    this.loggedToMs = nowMs;
    const found = this.found;
    this.found = [];
    return found;
  }

  /** Remembers from line to line which GPU sits where. */
  private logParser(bootTimeMs: number): HealthParser {
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
