import { AppError, nodeKey } from "@trainwatch/core";
import type { FleetEvent } from "@trainwatch/core";
import type { HealthReading } from "@trainwatch/formats";
import { z } from "zod";
import { durationSchema, sizeSchema } from "../config/units.ts";
import { runCommand } from "../run-command.ts";
import type { CommandOutput } from "../run-command.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { fleetEventOf } from "./fleet-event-of.ts";
import { nodeLabels } from "./node-labels.ts";
import { sourceOptions } from "./options.ts";
import { OUTPUT_READERS, OUTPUT_READER_NAMES } from "./output-readers.ts";
import type { OutputReaderName } from "./output-readers.ts";
import { SeriesTable } from "./series-table.ts";

interface ExecOptions extends SourceOptions {
  readonly command: readonly string[];
  readonly reads: OutputReaderName;
  readonly timeout: number;
  readonly maxBytes: number;
}

export const exec = {
  kind: "exec",
  title:
    "Runs a command and reads what it says. No shell: the arguments are given as they are. A slow one is killed with all it has started.",
  options: z.strictObject({
    ...sourceOptions("exec", "60s"),
    command: z.array(z.string()).min(1, "must name a program").describe("program and arguments, such as [nvidia-smi, -q, -x]"),
    reads: z.enum(OUTPUT_READER_NAMES).describe("what it says; `nvidia-smi` is its text: -q, nvlink -s, nvlink -e"),
    timeout: durationSchema.prefault("20s").describe("after which it is killed"),
    maxBytes: sizeSchema.prefault("16MiB").describe("of output, after which it is killed"),
  }),
  create: (options, world) => new Exec(options, world),
} as const satisfies SourceDefinition<ExecOptions>;

const MAX_REMEMBERED = 10_000;

class Exec implements Source {
  private readonly options: ExecOptions;
  private readonly world: SourceWorld;
  private readonly table: SeriesTable;
  /** What the last run told: a command says the same again as long as it is so, and that is one event (E1). */
  private told: ReadonlySet<string>;

  constructor(options: ExecOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    this.table = new SeriesTable(nodeLabels(world.node, options.name, world.node.host));
    const state = z.array(z.string()).safeParse(world.state());
    this.told = new Set(state.data ?? []);
  }

  async collect(stop: AbortSignal): Promise<void> {
    const { command, timeout, maxBytes } = this.options;
    const [program = "", ...args] = command;
    const timeMs = this.world.clock.now();
    const output = await runCommand([program, ...args], { timeoutMs: timeout, maxBytes, stop });
    const { readings, events } = this.parse(output, timeMs);
    const keys = new Map(events.map((event) => [keyOf(event), event]));
    const fresh = [...keys].filter(([key]) => !this.told.has(key)).map(([, event]) => event);
    const told = new Set([...keys.keys()].slice(0, MAX_REMEMBERED));
    const isChanged = fresh.length > 0 || told.size !== this.told.size;
    await this.world.take({ readings: [this.table.read(readings, timeMs)], events: fresh, ...(isChanged ? { state: [...told] } : {}) });
    this.told = told;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private parse(
    { stdout, stderr, exitCode }: CommandOutput,
    timeMs: number,
  ): { readings: readonly HealthReading[]; events: readonly FleetEvent[] } {
    const readings: HealthReading[] = [];
    const events: FleetEvent[] = [];
    let fault: string | null = null;
    const parser = OUTPUT_READERS[this.options.reads](
      {
        // A command tells of now; the time it prints names no zone.
        reading: (reading) => void readings.push({ ...reading, timeMs: null }),
        event: (event) => void events.push(fleetEventOf({ ...event, timeMs }, timeMs)),
        issue: ({ message }) => (fault ??= message),
      },
      { node: nodeKey(this.world.node), referenceTimeMs: timeMs },
    );
    parser.push(stdout);
    parser.end();
    const said = [stderr.trim(), fault].filter((each) => each !== null && each !== "").join("; ");
    // `nvidia-smi` ends with an error where one GPU of eight is lost and still tells of the others: that is a reading, and nothing at all is a fault.
    // The program without its arguments: they may hold a secret.
    if (readings.length === 0 && events.length === 0)
      throw new AppError(
        "unreadable-input",
        `${this.options.command[0] ?? ""} (exit code ${exitCode}) gave no reading${said === "" ? "" : `: ${said}`}`,
      );
    return { readings, events };
  }
}

function keyOf({ kind, code, entity, text }: FleetEvent): string {
  return JSON.stringify([kind, code, entity?.id ?? null, text]);
}
