import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { stdout } from "node:process";
import { finished } from "node:stream/promises";
import { AppError } from "@trainwatch/core";
import { LOG_WRITERS, completePlan, groundTruth, randomFaults, simulateRun } from "@trainwatch/simulate";
import type { Fault, LogWriter, SimulationPlan } from "@trainwatch/simulate";
import { z } from "zod";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import { writeStream } from "../frame/write-stream.ts";
import { systemFault } from "../inputs/input-fault.ts";
import { FAULT_KINDS, parseFault } from "../simulate/fault-option.ts";

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
});

export const simulate = defineCommand({
  name: "simulate",
  summary: "Prints the log of a seeded run with injected faults, and their ground truth as JSON lines.",
  examples: [
    "trainwatch simulate --seed 7 --steps 20000 --fault spike-shift@12000:factor=2.4,shift=0.2 --truth truth.jsonl > train.jsonl",
    "trainwatch simulate --format megatron --log-every 10 --fault nan@9000 --fault restart@9050:resume-from=8500",
    "trainwatch simulate --random-faults 5 | trainwatch inspect -",
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
      .option("--truth <file>", "write the ground truth there, one JSON object a line");
  },
  options: optionsSchema,
  async run(io, options) {
    const plan = completePlan({
      seed: options.seed,
      steps: options.steps,
      logEvery: options.logEvery,
      checkpointEvery: options.checkpointEvery,
      stepTimeS: options.stepTime,
      noise: options.noise,
      faults: [...options.fault, ...randomFaults(options.seed, options.steps, options.randomFaults)],
    });
    const truth = groundTruth(plan);
    if (options.truth !== undefined) await writeText(options.truth, truth.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const writer = LOG_WRITERS.find((candidate) => candidate.id === options.format) ?? LOG_WRITERS[0];
    if (options.out !== undefined) await writeLog(options.out, plan, writer, io.stop);
    if (options.json) printJson(io, { plan, truth, log: options.out ?? null });
    else if (options.out === undefined) await writeStream(stdout, logOf(plan, writer), io.stop);
    return 0;
  },
});

function* logOf(plan: SimulationPlan, writer: LogWriter): Generator<string, void, undefined> {
  for (const event of simulateRun(plan)) yield writer.write(event, plan);
}

async function writeLog(path: string, plan: SimulationPlan, writer: LogWriter, stop: AbortSignal): Promise<void> {
  const file = createWriteStream(path);
  const done = finished(file);
  // Awaited below; a file that cannot be opened fails before the first write has been waited for.
  done.catch(() => undefined);
  await writeStream(file, logOf(plan, writer), stop);
  file.end();
  await done.catch((error: unknown) => cannotWrite(path, error));
}

async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => cannotWrite(path, error));
}

function cannotWrite(path: string, error: unknown): never {
  const { message } = systemFault(path, error);
  throw new AppError(
    "bad-request",
    message.replace("you may not read it", "you may not write there").replace("reading failed", "writing failed"),
  );
}
