import { z } from "zod";
import type { PushInput } from "@trainwatch/core";
import { AppError } from "@trainwatch/core";
import { messageOf } from "../message-of.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { FileTail } from "../tail/file-tail.ts";
import { tailCursorSchema } from "../tail/tail-cursor.ts";
import { linesOf } from "./lines.ts";
import { sourceOptions } from "./options.ts";
import { rankProcesses } from "./rank-processes.ts";
import type { RankProcess } from "./rank-processes.ts";
import { runSchema } from "./run-option.ts";

interface AssignmentsOptions extends SourceOptions {
  readonly run: { readonly project: string; readonly name: string };
  readonly file?: string | undefined;
  readonly proc?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export const assignments = {
  kind: "assignments",
  title:
    "Says which rank runs on which GPU: from a JSON Lines file, or from the environment of the trainer's processes (torchrun, MPI, Slurm, Kubernetes). With `proc` every rank on the node is taken to be of `run`, unless `environment` says which are.",
  options: z
    .strictObject({
      ...sourceOptions("assignments", "30s"),
      run: runSchema.describe("PROJECT/NAME of the run"),
      file: z.string().min(1).optional().describe("JSON Lines with `rank`, `node`, `gpuUuid` and what else is known"),
      proc: z.string().min(1).optional().describe("where procfs is mounted, such as /proc; only root sees processes of others"),
      environment: z
        .record(z.string().min(1), z.union([z.string(), z.number()]).transform(String))
        .optional()
        .describe(
          "with `proc`: only ranks whose environment holds all of these, such as `{ SLURM_JOB_ID: 48213 }`; where jobs share a node",
        ),
    })
    .refine(({ file, proc }) => (file === undefined) !== (proc === undefined), "needs either `file` or `proc`")
    .refine(({ proc, environment }) => proc !== undefined || environment === undefined, "`environment` needs `proc`"),
  create: (options, world) => (options.file === undefined ? new FromProcesses(options, world) : new FromFile(options, options.file, world)),
} as const satisfies SourceDefinition<AssignmentsOptions>;

type Assignment = NonNullable<PushInput["assignments"]>[number];
const lineSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

class FromFile implements Source {
  private readonly options: AssignmentsOptions;
  private readonly world: SourceWorld;
  private readonly tail: FileTail;

  constructor(options: AssignmentsOptions, path: string, world: SourceWorld) {
    this.options = options;
    this.world = world;
    this.tail = new FileTail(path, tailCursorSchema.safeParse(world.state()).data ?? null, { from: "start", unit: "lines" });
  }

  async collect(stop: AbortSignal): Promise<void> {
    for (let chunk = await this.tail.read(); chunk !== null && !stop.aborted; chunk = await this.tail.read()) {
      const assigned = linesOf(chunk.bytes).flatMap((line) => this.parse(line));
      const pushes = assigned.length === 0 ? [] : [{ run: this.options.run, assignments: assigned }];
      await this.world.take({ pushes, state: chunk.cursor });
      this.tail.advance(chunk);
    }
  }

  close(): Promise<void> {
    return this.tail.close();
  }

  private parse(line: string): readonly Assignment[] {
    if (line.trim() === "") return [];
    try {
      return [lineSchema.parse(JSON.parse(line))];
    } catch {
      this.world.say(`${this.options.name}: a line is no JSON object of plain values and is left out: ${line.slice(0, 80)}`);
      return [];
    }
  }
}

class FromProcesses implements Source {
  private readonly options: AssignmentsOptions;
  private readonly world: SourceWorld;
  private said: string;

  constructor(options: AssignmentsOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    const state = world.state();
    this.said = typeof state === "string" ? state : "";
  }

  async collect(): Promise<void> {
    const { proc = "/proc", run, environment = {} } = this.options;
    const processes = await rankProcesses(proc, environment).catch((cause: unknown) => {
      throw new AppError("unavailable", `${proc} cannot be read: ${messageOf(cause)}`, { cause });
    });
    const assigned = processes.map((process) => this.assignment(process));
    const text = JSON.stringify(assigned);
    if (assigned.length === 0 || text === this.said) return;
    await this.world.take({ pushes: [{ run, assignments: assigned }], state: text });
    this.said = text;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private assignment({ rank, gpu, sinceMs, facts }: RankProcess): Assignment {
    const { host, machineId } = this.world.node;
    const { uuid, index } = gpu;
    const where = { ...(uuid === null ? {} : { gpuUuid: uuid }), ...(index === null ? {} : { gpuIndex: index }) };
    return { rank, node: machineId ?? host, ...where, from: sinceMs, ...facts };
  }
}
