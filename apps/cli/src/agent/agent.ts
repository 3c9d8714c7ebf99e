import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { AGENT_SOURCE_PREFIX, AppError } from "@trainwatch/core";
import type { FleetEvent } from "@trainwatch/core";
import type { AgentClock } from "./clock.ts";
import type { AgentConfig } from "./config/read-config.ts";
import { HttpClient } from "./http/request.ts";
import { BOOT_ID_FILE, readNodeIdentity } from "./node-identity.ts";
import type { NodeIdentity } from "./node-identity.ts";
import { ClockWatch } from "./own/clock-watch.ts";
import { OwnReadings } from "./own/own-readings.ts";
import { SpoolWatch } from "./own/spool-watch.ts";
import { DeadLetters } from "./ship/dead-letters.ts";
import { FactsLane } from "./ship/facts-lane.ts";
import { LaneRunner } from "./ship/lane.ts";
import { ReadingsLane } from "./ship/readings-lane.ts";
import { createServer } from "./ship/server.ts";
import type { Server } from "./ship/server.ts";
import type { SourceOutput, SourceWorld } from "./source.ts";
import { SourceRunner } from "./source-runner.ts";
import { AgentSpool } from "./spool/agent-spool.ts";
import type { OpenSegmentWriter } from "./spool/segment-files.ts";

/** How often the agent looks at itself. */
const OWN_EVERY_MS = 10_000;
const OWN_NAME = "trainwatch-agent";
/** Own events wait in memory while the disk is full; the newest say most. */
const MAX_PENDING = 100;

export interface AgentWorld {
  readonly clock: AgentClock;
  /** 0 to below 1. */
  readonly random: () => number;
  /** One line on standard error. */
  readonly say: (line: string) => void;
  readonly openWriter?: OpenSegmentWriter;
}

/** One process a node: reads sources, keeps what they give on the disk, and brings it to the server in order. */
export class TrainwatchAgent {
  readonly sources: readonly SourceRunner[];
  private readonly config: AgentConfig;
  private readonly world: AgentWorld;
  private readonly node: NodeIdentity;
  private readonly spool: AgentSpool;
  private readonly http = new HttpClient();
  private readonly dead: DeadLetters;
  private readonly readingsLane: ReadingsLane;
  private readonly runners: { readonly readings: LaneRunner; readonly facts: LaneRunner };
  private readonly own: OwnReadings;
  private readonly clockWatch: ClockWatch;
  private readonly watches: { readonly readings: SpoolWatch; readonly facts: SpoolWatch };
  private pending: FleetEvent[] = [];

  private constructor(config: AgentConfig, world: AgentWorld, node: NodeIdentity, parts: AgentParts) {
    this.config = config;
    this.world = world;
    this.node = node;
    this.spool = parts.spool;
    this.dead = parts.dead;
    this.readingsLane = parts.readingsLane;
    const { clock, say } = world;
    const server: Server = createServer(config.server.url, config.server.token, this.http, () => clock.now());
    parts.readingsLane.attach(this.spool.readings, server, sourceName(node, this.spool));
    const factsLane = new FactsLane({ source: sourceName(node, this.spool), server, dead: this.dead, spool: this.spool.facts });
    this.runners = { readings: new LaneRunner(parts.readingsLane, world), facts: new LaneRunner(factsLane, world) };
    this.own = new OwnReadings(node);
    this.clockWatch = new ClockWatch(clock);
    this.watches = this.createWatches();
    const tell = (event: FleetEvent): void => this.tell(event);
    this.sources = config.sources.map(
      (source) => new SourceRunner(source, source.open(this.worldOf(source.name)), { clock, random: world.random, say, tell }),
    );
  }

  static async open(config: AgentConfig, world: AgentWorld): Promise<TrainwatchAgent> {
    const node = await readNodeIdentity({ machineId: config.node.machineIdFile, bootId: BOOT_ID_FILE }, config.node);
    const dead = new DeadLetters(join(config.dataDir, "refused"), world.say);
    const readingsLane = new ReadingsLane({ dead, say: world.say });
    const spool = await AgentSpool.open({
      dir: join(config.dataDir, "spool"),
      maxBytes: config.spool.maxSize,
      maxEventBytes: config.spool.maxEventSize,
      whenFull: config.spool.whenFull,
      node,
      ...(world.openWriter === undefined ? {} : { openWriter: world.openWriter }),
      passed: (record) => readingsLane.learn(record),
    });
    return new TrainwatchAgent(config, world, node, { spool, dead, readingsLane });
  }

  /** Until `stop` is asked for. What is in the spool then waits there for the next start. */
  async run(stop: AbortSignal): Promise<void> {
    setMaxListeners(0, stop);
    const lanes = [this.runners.readings.run(stop), this.runners.facts.run(stop)];
    await Promise.all([...lanes, ...this.sources.map((source) => source.run(stop)), this.runOwn(stop)]);
  }

  /** Reads each source once and ships once. @returns what failed, in words */
  async once(stop: AbortSignal): Promise<readonly string[]> {
    setMaxListeners(0, stop);
    const failed = await this.collectAll(stop);
    await this.takeOwn();
    for (const [what, lane] of Object.entries(this.runners)) {
      const why = await lane.drain(stop);
      if (why !== null) failed.push(`${what} were not taken by the server: ${why}`);
    }
    return failed;
  }

  /** Reads each source once. @returns what failed, in words */
  async collectAll(stop: AbortSignal): Promise<string[]> {
    const answers = await Promise.all(
      this.sources.map(async (source) => {
        const why = await source.collect(stop);
        return why === null ? [] : [`${source.configured.name} (${source.configured.kind}): ${why}`];
      }),
    );
    return answers.flat();
  }

  /** Readings, then events and pushes, that wait for the server. */
  get waiting(): number {
    return this.spool.readings.waitingWeight + this.spool.facts.waitingWeight;
  }

  async close(): Promise<void> {
    for (const source of this.sources) await source.close();
    await this.spool.close();
    this.http.close();
  }

  private worldOf(name: string): SourceWorld {
    return {
      name,
      node: this.node,
      clock: this.world.clock,
      http: this.http,
      say: this.world.say,
      state: () => this.spool.stateOf(name),
      take: (output) => this.take(name, output),
    };
  }

  private async take(source: string, output: SourceOutput): Promise<void> {
    const { readings, facts } = await this.spool.take(source, output);
    const count = (output.readings ?? []).reduce((sum, batch) => sum + batch.count, 0);
    this.watches.readings.seen(this.spool.readings, readings, count);
    // What is not taken of events and pushes stays with its source: nothing is lost yet.
    this.watches.facts.seen(this.spool.facts, facts, 0);
    if (!facts.ok) throw new AppError("unavailable", facts.message);
  }

  private async runOwn(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.takeOwn();
      await this.world.clock.sleep(OWN_EVERY_MS, stop);
    }
    await this.takeOwn();
  }

  /** The agent's own readings and events. */
  private async takeOwn(): Promise<void> {
    const jump = this.clockWatch.look();
    if (jump !== null) {
      this.world.say(jump.text);
      this.tell(jump);
    }
    const events = this.pending;
    this.pending = [];
    try {
      await this.take(OWN_NAME, { readings: [this.own.read(this.figures(), this.sources, this.world.clock.now())], events });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // No room for events: said by then, and tried again with the next look.
      this.pending = [...events, ...this.pending].slice(-MAX_PENDING);
    }
  }

  private tell(event: FleetEvent): void {
    this.pending = [...this.pending, event].slice(-MAX_PENDING);
  }

  private figures() {
    const { readings, facts } = this.spool;
    const { user, system } = process.cpuUsage();
    const { heldMs } = this.readingsLane;
    return {
      spoolBytes: readings.bytes + facts.bytes,
      waitingReadings: readings.waitingWeight,
      waitingFacts: facts.waitingWeight,
      lagSeconds: heldMs === null ? 0 : Math.max(0, (this.world.clock.now() - heldMs) / 1000),
      dropped: readings.dropped + this.watches.readings.notTaken,
      putAside: this.dead.count,
      refused: this.readingsLane.refused,
      shipFailures: Math.max(this.runners.readings.failures, this.runners.facts.failures),
      residentBytes: process.memoryUsage.rss(),
      cpuSeconds: (user + system) / 1e6,
    };
  }

  private createWatches(): { readonly readings: SpoolWatch; readonly facts: SpoolWatch } {
    const { maxSize, maxEventSize, whenFull } = this.config.spool;
    const { clock, say } = this.world;
    const shared = { clock, say, tell: (event: FleetEvent): void => this.tell(event) };
    const policy =
      whenFull === "drop-oldest"
        ? "The oldest readings are dropped (spool.whenFull: drop-oldest)."
        : "New readings are not taken (spool.whenFull: stop).";
    return {
      readings: new SpoolWatch({ ...shared, what: "readings", maxBytes: maxSize, policy }),
      facts: new SpoolWatch({
        ...shared,
        what: "events and pushes",
        maxBytes: maxEventSize,
        policy: "Logs are not read on until there is room; none are dropped.",
      }),
    };
  }
}

interface AgentParts {
  readonly spool: AgentSpool;
  readonly dead: DeadLetters;
  readonly readingsLane: ReadingsLane;
}

function sourceName({ machineId, host }: NodeIdentity, { id }: AgentSpool): string {
  return `${AGENT_SOURCE_PREFIX}${machineId ?? host}:${id}`;
}
