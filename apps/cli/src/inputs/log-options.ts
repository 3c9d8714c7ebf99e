import { AppError } from "@trainwatch/core";
import { FORMATS, formatById } from "@trainwatch/formats";
import type { LogFormat, ParseOptions } from "@trainwatch/formats";
import type { Command } from "commander";
import { z } from "zod";
import { parseRunName } from "./run-name.ts";
import type { RunName } from "./run-name.ts";

/** Options that `inspect` and `import` share: how logs are read and what is known of their runs beyond what they say. */
export function addLogOptions(command: Command, arePathsRequired = true): void {
  command
    .argument(arePathsRequired ? "<paths...>" : "[paths...]", "log files, directories (walked), or - for standard input")
    .option("--run <project/name>", "all paths belong to this one run (default: each file is its own)")
    .option("--format <id>", `what the logs are, where content does not tell: ${FORMATS.map((format) => format.id).join(", ")}`)
    .option("--tz <zone>", "IANA zone of times that name none, such as Europe/Paris (default: UTC, marked as assumed)")
    .option("--gpus <number>", "GPUs of the run, for GPU-hours")
    .option("--checkpoint-every <steps>", "assume a checkpoint each so many steps where the log names none")
    .option("--step-column <name>", "column that holds the step in a CSV or JSONL of your own")
    .option("--time-column <name>", "column that holds the time in a CSV or JSONL of your own");
}

const count = z.coerce.number<string>("must be a whole number").int("must be a whole number").min(1, "must be at least 1");

/** Reads {@link addLogOptions}. */
export const logOptionsSchema = z.object({
  json: z.boolean(),
  run: z
    .string()
    .transform((text, context): RunName => {
      const run = parseRunName(text);
      if (run !== null) return run;
      context.addIssue({ code: "custom", message: "must be PROJECT/NAME, both not empty" });
      return z.NEVER;
    })
    .optional(),
  format: z
    .string()
    .transform((id, context): LogFormat => {
      const format = formatById(id);
      if (format !== undefined) return format;
      context.addIssue({
        code: "custom",
        message: `there is no format ${JSON.stringify(id)}; known are ${FORMATS.map((known) => known.id).join(", ")}`,
      });
      return z.NEVER;
    })
    .optional(),
  tz: z.string().refine(isZone, "must be an IANA zone, such as Europe/Paris or UTC").optional(),
  gpus: count.optional(),
  checkpointEvery: count.optional(),
  stepColumn: z.string().min(1, "must not be empty").optional(),
  timeColumn: z.string().min(1, "must not be empty").optional(),
});
export type LogOptions = z.output<typeof logOptionsSchema>;

export function parseOptionsOf({ tz, stepColumn, timeColumn }: LogOptions): ParseOptions {
  const columns = { ...(stepColumn === undefined ? {} : { step: stepColumn }), ...(timeColumn === undefined ? {} : { time: timeColumn }) };
  return { ...(tz === undefined ? {} : { timeZone: tz }), ...(Object.keys(columns).length === 0 ? {} : { columns }) };
}

/** Standard input can be read once: named twice it would silently be empty the second time. */
export function checkPaths(paths: readonly string[]): void {
  if (paths.filter((path) => path === "-").length > 1) throw new AppError("bad-request", "Standard input (-) can be named once only.");
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
