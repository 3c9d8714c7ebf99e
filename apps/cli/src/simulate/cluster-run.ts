import { readFile } from "node:fs/promises";
import { stdout } from "node:process";
import { AppError } from "@trainwatch/core";
import { CLUSTER_FAULT_KINDS, rankLines, readClusterFaults, runEvents, simulateCluster } from "@trainwatch/simulate";
import type { ClusterFault, LogWriter, ParallelLayout, SimulatedCluster, SimulationPlan } from "@trainwatch/simulate";
import { printJson, type CommandIo } from "../frame/io.ts";
import { writeStream } from "../frame/write-stream.ts";
import { systemFault } from "../inputs/input-fault.ts";
import { writeJsonLines, writeTexts } from "./output-file.ts";

export interface ClusterOptions {
  readonly nodes: number;
  readonly layout: Partial<ParallelLayout>;
  readonly run: SimulationPlan;
  /** Path of the faults file. */
  readonly faults: string | undefined;
}

/** @throws AppError `bad-request` naming the file and entry that cannot be simulated */
export async function clusterOf({ nodes, layout, run, faults }: ClusterOptions, startMs?: number): Promise<SimulatedCluster> {
  return simulateCluster({
    seed: run.seed,
    nodes,
    layout,
    run: startMs === undefined ? run : { ...run, startTimeMs: startMs },
    faults: faults === undefined ? [] : await faultsOf(faults),
  });
}

async function faultsOf(path: string): Promise<readonly ClusterFault[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new AppError("bad-request", systemFault(path, error).message);
  });
  return readClusterFaults(text);
}

export interface ClusterOutputs {
  readonly writer: LogWriter;
  readonly out?: string | undefined;
  readonly ranksOut?: string | undefined;
  readonly assignmentsOut?: string | undefined;
  readonly truth?: string | undefined;
  readonly json: boolean;
}

/** The run's log, its ranks, who sat where, and what was done: each to its own file, the log to standard output where it has none. */
export async function writeCluster(cluster: SimulatedCluster, io: CommandIo, outputs: ClusterOutputs): Promise<void> {
  const { plan, truth } = cluster;
  if (outputs.truth !== undefined) await writeJsonLines(outputs.truth, truth);
  if (outputs.assignmentsOut !== undefined) await writeJsonLines(outputs.assignmentsOut, cluster.assignments(plan.run.startTimeMs));
  if (outputs.ranksOut !== undefined) await writeTexts(outputs.ranksOut, ranksOf(cluster), io.stop);
  if (outputs.out !== undefined) await writeTexts(outputs.out, logOf(cluster, outputs.writer), io.stop);
  if (outputs.json) printJson(io, { plan, truth, log: outputs.out ?? null, ranks: outputs.ranksOut ?? null });
  else if (outputs.out === undefined) await writeStream(stdout, logOf(cluster, outputs.writer), io.stop);
}

function* ranksOf(cluster: SimulatedCluster): Generator<string, void, undefined> {
  for (const event of cluster.events()) if (event.kind === "step" || event.kind === "stuck-step") yield rankLines(event);
}

function* logOf(cluster: SimulatedCluster, writer: LogWriter): Generator<string, void, undefined> {
  const { run } = cluster.plan;
  for (const event of runEvents(cluster.events(), run.logEvery)) yield writer.write(event, run);
}

/** The kinds of a faults file, each with what it takes, for `--help`. */
export function faultsHelp(): string {
  const lines = CLUSTER_FAULT_KINDS.map(({ kind, place, does, parameters }) => {
    const own = parameters.map(({ name, value }) => `${name}=${value}`).join(", ");
    return `  ${kind} (${PLACES[place]})${own === "" ? "" : ` ${own}`}\n      ${does}`;
  });
  return `
Faults of --faults FILE: a JSON array, or one JSON object a line, such as
  {"kind": "straggler", "step": 2000, "forSteps": 500, "node": 3, "gpu": 5, "factor": 1.4}
Each has "step" or "seconds" after the start, and may have "forSteps" or "forSeconds". Kinds, where they sit, and their numbers with defaults:
${lines.join("\n")}
`;
}

const PLACES = {
  rank: "rank, or node and gpu",
  node: "node",
  link: "rank, or node and gpu; link",
  port: "node, port",
  some: "rank, or node and gpu, or node, or none for all",
  run: "the whole run",
} as const;
