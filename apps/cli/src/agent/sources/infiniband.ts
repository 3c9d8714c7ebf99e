import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError, nodeKey } from "@trainwatch/core";
import type { FleetEvent } from "@trainwatch/core";
import { PORT_FILES } from "@trainwatch/formats";
import { z } from "zod";
import { messageOf } from "../message-of.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { nodeLabels } from "./node-labels.ts";
import { sourceOptions } from "./options.ts";
import { SeriesTable } from "./series-table.ts";
import type { TakenSample } from "./series-table.ts";

interface InfinibandOptions extends SourceOptions {
  readonly root: string;
}

export const infiniband = {
  kind: "infiniband",
  title: "Reads state and counters of InfiniBand and RoCE ports from sysfs; a port that leaves or reaches ACTIVE is an event.",
  options: z.strictObject({
    ...sourceOptions("infiniband", "10s"),
    root: z.string().min(1).default("/sys/class/infiniband").describe("where the kernel shows the devices"),
  }),
  create: (options, world) => new Infiniband(options, world),
} as const satisfies SourceDefinition<InfinibandOptions>;

const ACTIVE = 4;
const STATE_NAMES = ["NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"] as const;
const statesSchema = z.record(z.string(), z.number());

interface Port {
  readonly device: string;
  readonly port: string;
  readonly samples: readonly TakenSample[];
  readonly state: number | null;
}

class Infiniband implements Source {
  private readonly options: InfinibandOptions;
  private readonly world: SourceWorld;
  private readonly table: SeriesTable;
  private states: Record<string, number>;

  constructor(options: InfinibandOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    this.table = new SeriesTable(nodeLabels(world.node, options.name, world.node.host));
    this.states = statesSchema.safeParse(world.state()).data ?? {};
  }

  async collect(): Promise<void> {
    const timeMs = this.world.clock.now();
    const ports = await this.readPorts();
    const readings = [
      this.table.read(
        ports.flatMap(({ samples }) => samples),
        timeMs,
      ),
    ];
    const states = { ...this.states };
    const events = ports.flatMap(({ device, port, state }) => {
      const key = `${device}:${port}`;
      const before = states[key];
      if (state === null || state === before) return [];
      states[key] = state;
      // The first look at a port tells no change; a port that is down then shows in its readings.
      return before === undefined ? [] : this.change(key, before, state, timeMs);
    });
    const isChanged = JSON.stringify(states) !== JSON.stringify(this.states);
    await this.world.take({ readings, events, ...(isChanged ? { state: states } : {}) });
    this.states = states;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private change(key: string, before: number, now: number, timeMs: number): readonly FleetEvent[] {
    if ((before === ACTIVE) === (now === ACTIVE)) return [];
    const isUp = now === ACTIVE;
    return [
      {
        timeMs,
        kind: isUp ? "link-up" : "link-down",
        code: now,
        subCode: null,
        severity: isUp ? "info" : "warning",
        entity: { kind: "port", id: `${nodeKey(this.world.node)}/port/${key}` },
        text: `Port ${key} went from ${nameOf(before)} to ${nameOf(now)}`,
        count: 1,
        lastTimeMs: null,
      },
    ];
  }

  private async readPorts(): Promise<readonly Port[]> {
    const { root } = this.options;
    const ports: Port[] = [];
    for (const device of await this.list(root)) {
      for (const port of await this.list(join(root, device, "ports"))) ports.push(await readPort(root, device, port));
    }
    if (ports.length === 0) throw new AppError("unavailable", `${root} shows no port`);
    return ports;
  }

  private async list(path: string): Promise<readonly string[]> {
    try {
      return (await readdir(path)).toSorted();
    } catch (cause) {
      throw new AppError("unavailable", `${path} cannot be read: ${messageOf(cause)}`, { cause });
    }
  }
}

async function readPort(root: string, device: string, port: string): Promise<Port> {
  const samples: TakenSample[] = [];
  let state: number | null = null;
  for (const { path, name, read } of PORT_FILES) {
    // Which counters a port has depends on the card and its firmware.
    const text = await readFile(join(root, device, "ports", port, path), "utf8").catch(() => "");
    const value = read(text.trim());
    if (value === null) continue;
    if (path === "state") state = value;
    samples.push({ name, labels: { device, port }, value, timeMs: null });
  }
  return { device, port, samples, state };
}

function nameOf(state: number): string {
  return STATE_NAMES[state] ?? String(state);
}
