import { stdout } from "node:process";
import { AppError } from "@trainwatch/core";
import { LOG_WRITERS, completePlan, groundTruth, randomFaults, simulateRun } from "@trainwatch/simulate";
import type { Fault, FleetFault, LogWriter, ParallelLayout, PlanInput, SimulationPlan } from "@trainwatch/simulate";
import { z } from "zod";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import { writeStream } from "../frame/write-stream.ts";
import { clusterOf, faultsHelp, writeCluster } from "../simulate/cluster-run.ts";
import { FAULT_KINDS, parseFault } from "../simulate/fault-option.ts";
import { FLEET_FAULT_KINDS, parseFleetFault } from "../simulate/fleet-fault-option.ts";
import { writeJsonLines, writeTexts } from "../simulate/output-file.ts";
import { serveCluster, serveFleet } from "../simulate/serve-fleet.ts";

const WRITER_IDS = LOG_WRITERS.map((writer) => writer.id);
const whole = z.coerce.number<string>("must be a whole number").int("must be a whole number");
const positive = z.coerce.number<string>("must be a number").positive("must be above zero");

const optionsSchema = z.object({
  json: z.boolean(),
  seed: whole,
  steps: whole.min(1, "must be at least 1"),
  logEvery: whole.min(1, "must be at least 1"),
  checkpointEvery: whole.min(1, "must be at least 1"),
  stepTime: positive,
  noise: positive,
  fault: z.array(z.string()).transform((texts, context): readonly Fault[] => {
    const parsed = texts.map(parseFault);
    for (const one of parsed) if (!one.ok) context.addIssue({ code: "custom", message: one.message });
    return parsed.flatMap((one) => (one.ok ? [one.fault] : []));
  }),
  randomFaults: whole.min(0, "must not be negative").max(1_000, "must be at most 1000"),
  format: z.enum(WRITER_IDS, `must be one of ${WRITER_IDS.join(", ")}`),
  out: z.string().optional(),
  truth: z.string().optional(),
  serve: whole.min(0, "must not be negative").max(65_535, "must be at most 65535").optional(),
  nodes: whole.min(1, "must be at least 1").max(2_048, "must be at most 2048").optional(),
  faults: z.string().optional(),
  ranksOut: z.string().optional(),
  assignmentsOut: z.string().optional(),
  tp: whole.min(1, "must be at least 1").optional(),
  pp: whole.min(1, "must be at least 1").optional(),
  ep: whole.min(1, "must be at least 1").optional(),
  exporterNames: z.enum(["classic", "renamed"], "must be classic or renamed"),
  fleetFault: z.array(z.string()).transform((texts, context): readonly ((startMs: number) => FleetFault)[] => {
    const parsed = texts.map(parseFleetFault);
    for (const one of parsed) if (!one.ok) context.addIssue({ code: "custom", message: one.message });
    return parsed.flatMap((one) => (one.ok ? [one.at] : []));
  }),
});

export const simulate = defineCommand({
  name: "simulate",
  summary: "Prints the log of a seeded run with injected faults, or serves the exporters of its fleet; ground truth as JSON lines.",
  examples: [
    "trainwatch simulate --seed 7 --steps 20000 --fault spike-shift@12000:factor=2.4,shift=0.2 --truth truth.jsonl > train.jsonl",
    "trainwatch simulate --format megatron --log-every 10 --fault nan@9000 --fault restart@9050:resume-from=8500",
    "trainwatch simulate --random-faults 5 | trainwatch inspect -",
    "trainwatch simulate --nodes 128 --pp 4 --faults faults.jsonl --seed 7 --ranks-out ranks.jsonl --truth truth.jsonl > train.jsonl",
    "trainwatch simulate --serve 9400 --nodes 4 --fleet-fault hot-gpu@60:node=2,gpu=5,celsius=28,slows-step-by=1.3",
  ],
  configure(command) {
    command
      .option("--seed <number>", "same seed, same run", "1")
      .option("--steps <number>", "steps of the run", "10000")
      .option("--log-every <steps>", "steps a logged line", "1")
      .option("--checkpoint-every <steps>", "steps between checkpoints", "500")
      .option("--step-time <seconds>", "seconds a step takes", "4.2")
      .option("--noise <share>", "standard deviation of the log loss of one step", "0.012")
      .option(
        "--fault <kind@step>",
        `inject a fault, may be repeated: KIND@STEP[:name=value,…] with KIND one of ${FAULT_KINDS.join(", ")}`,
        (text: string, list: readonly string[]) => [...list, text],
        [],
      )
      .option("--random-faults <number>", "inject so many faults of random kinds, from the seed", "0")
      .option("--format <id>", `what the log looks like: ${WRITER_IDS.join(", ")}`, "jsonl")
      .option("--out <file>", "write the log there instead of to standard output")
      .option("--truth <file>", "write the ground truth there, one JSON object a line")
      .option(
        "--serve <port>",
        "serve dcgm-exporter and node_exporter of the run's nodes, from now on, instead of a log; 0 takes a free port",
      )
      .option(
        "--nodes <number>",
        "nodes of 8 GPUs: those to serve (16 where nothing is said), or those of a run that is simulated rank by rank",
      )
      .option("--faults <file>", "what goes wrong with the run, its ranks and its nodes: JSON, see below; simulates rank by rank")
      .option("--ranks-out <file>", "write what each rank says there, one JSON object a rank and step; simulates rank by rank")
      .option("--assignments-out <file>", "write which rank sits on which GPU there, one JSON object a line; simulates rank by rank")
      .option("--tp <ranks>", "ranks of a tensor group (8)")
      .option("--pp <stages>", "pipeline stages (1)")
      .option("--ep <groups>", "expert groups among the replicas (1)")
      .option(
        "--fleet-fault <kind@seconds>",
        `let something fail so many seconds after the start, may be repeated: KIND@SECONDS[:node=0,gpu=0,for=600,…] with KIND one of ${FLEET_FAULT_KINDS.join(", ")}`,
        (text: string, list: readonly string[]) => [...list, text],
        [],
      )
      .option("--exporter-names <spelling>", "names of fields and labels as exporters had them (classic) or have them (renamed)", "classic")
      .addHelpText("after", faultsHelp);
  },
  options: optionsSchema,
  async run(io, options) {
    const plan = planOf(options);
    refuseContradictions(options);
    const onTruth = (truth: readonly object[]): Promise<void> => writeTruth(options.truth, truth);
    const cluster = { nodes: options.nodes ?? NODES, layout: layoutOf(options), run: plan, faults: options.faults };
    if (options.serve !== undefined) {
      const { serve: port, fleetFault: faults, exporterNames: spelling, json } = options;
      if (isByRank(options)) await serveCluster(await clusterOf(cluster, io.now()), io, { port, json, onTruth });
      else await serveFleet({ port, nodes: cluster.nodes, faults, spelling, run: plan }, io, { json, onTruth });
      return 0;
    }
    const writer = LOG_WRITERS.find((candidate) => candidate.id === options.format) ?? LOG_WRITERS[0];
    if (isByRank(options) || options.nodes !== undefined) {
      await writeCluster(await clusterOf(cluster), io, { ...options, writer });
      return 0;
    }
    const truth = groundTruth(plan);
    await onTruth(truth);
    if (options.out !== undefined) await writeTexts(options.out, logOf(plan, writer), io.stop);
    if (options.json) printJson(io, { plan, truth, log: options.out ?? null });
    else if (options.out === undefined) await writeStream(stdout, logOf(plan, writer), io.stop);
    return 0;
  },
});

function planOf(options: z.output<typeof optionsSchema>): SimulationPlan {
  return completePlan({
    seed: options.seed,
    steps: options.steps,
    logEvery: options.logEvery,
    checkpointEvery: options.checkpointEvery,
    stepTimeS: options.stepTime,
    noise: options.noise,
    faults: [...options.fault, ...randomFaults(options.seed, options.steps, options.randomFaults)],
  } satisfies PlanInput);
}

async function writeTruth(path: string | undefined, truth: readonly object[]): Promise<void> {
  if (path !== undefined) await writeJsonLines(path, truth);
}

function* logOf(plan: SimulationPlan, writer: LogWriter): Generator<string, void, undefined> {
  for (const event of simulateRun(plan)) yield writer.write(event, plan);
}

type Options = z.output<typeof optionsSchema>;

/** Nodes to serve where nothing is said. */
const NODES = 16;

/** What only a run has that is simulated rank by rank. */
function isByRank({ faults, ranksOut, assignmentsOut, tp, pp, ep }: Options): boolean {
  return [faults, ranksOut, assignmentsOut, tp, pp, ep].some((option) => option !== undefined);
}

function layoutOf({ tp, pp, ep }: Options): Partial<ParallelLayout> {
  return { ...(tp === undefined ? {} : { tp }), ...(pp === undefined ? {} : { pp }), ...(ep === undefined ? {} : { ep }) };
}

function refuseContradictions(options: Options): void {
  const { serve, out, ranksOut, assignmentsOut, fleetFault } = options;
  if (serve !== undefined && [out, ranksOut, assignmentsOut].some((path) => path !== undefined))
    throw new AppError(
      "bad-request",
      "--out, --ranks-out and --assignments-out write files, and --serve serves exporters instead: leave one of them out.",
    );
  if (serve === undefined && fleetFault.length > 0)
    throw new AppError("bad-request", "--fleet-fault needs --serve: a log has no nodes that could fail.");
  if (isByRank(options) && fleetFault.length > 0)
    throw new AppError("bad-request", "--fleet-fault is for --serve alone: beside --faults, write what fails into that file.");
}
