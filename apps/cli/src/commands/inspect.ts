import { stdin } from "node:process";
import { severityRank } from "@trainwatch/core";
import type { Severity } from "@trainwatch/core";
import { z } from "zod";
import type { ExitCode } from "../frame/command.ts";
import { defineCommand } from "../frame/define-command.ts";
import type { CommandIo } from "../frame/io.ts";
import { printJson } from "../frame/io.ts";
import { inspectInputs } from "../inspect/inspect-inputs.ts";
import type { Inspection } from "../inspect/inspect-inputs.ts";
import { isOdd } from "../inspect/measurements/read-measurements.ts";
import { inspectReport } from "../inspect/report.ts";
import { textReport } from "../inspect/text-report.ts";
import { listInputs } from "../inputs/list-inputs.ts";
import { addLogOptions, checkPaths, logOptionsSchema, parseOptionsOf } from "../inputs/log-options.ts";
import { planRuns } from "../inputs/plan-runs.ts";

export const inspect = defineCommand({
  name: "inspect",
  summary: "Reads logs offline: what broke, since which step, and what to do. No server, no database.",
  examples: [
    "trainwatch inspect train.log",
    "trainwatch inspect runs/ --gpus 512 --checkpoint-every 500",
    "trainwatch inspect dmesg.txt nvidia-smi-q.txt fabricmanager.log",
    "trainwatch inspect /tmp/nccl_trace/",
    "zcat train.log.gz | trainwatch inspect - --json --fail-on critical",
  ],
  configure(command) {
    addLogOptions(command);
    command.option("--fail-on <severity>", "exit 1 where a finding or an event is at least so bad: critical or warning");
  },
  options: logOptionsSchema.extend({ failOn: z.enum(["critical", "warning"], "must be critical or warning").optional() }),
  async run(io, options, paths) {
    checkPaths(paths);
    const settings = { parse: parseOptionsOf(options), format: options.format ?? null };
    const listed = await listInputs(paths);
    const planned = await planRuns(listed, { ...settings, run: options.run ?? null }, stdin);
    const inspection = await inspectInputs(listed, planned, settings, io, stdin);
    const advise = { gpus: options.gpus ?? null, checkpointEvery: options.checkpointEvery ?? null };
    if (options.json) printJson(io, inspectReport(inspection, advise));
    else if (hasFound(inspection)) io.out(textReport(inspection, advise, io.columns));
    return exitCode(inspection, options.failOn, paths, io);
  },
});

function hasFound({ runs, health, flights, measurements }: Inspection): boolean {
  return runs.length + health.length + flights.length + measurements.length > 0;
}

/** What was read is always reported; an input that could not be read, or not to its end, makes it 2 all the same. */
function exitCode(inspection: Inspection, failOn: Severity | undefined, paths: readonly string[], io: CommandIo): ExitCode {
  const faults = inspection.inputs.map((input) => input.fault).filter((fault) => fault !== null);
  for (const fault of faults) io.err(`trainwatch: ${fault.message}\n`);
  if (faults.length > 0) return 2;
  if (!hasFound(inspection)) {
    io.err(`trainwatch: ${paths.join(", ")}: no log was found there; name a file or a directory that holds one.\n`);
    return 2;
  }
  const found = [
    ...inspection.runs.flatMap((run) => run.recorder.ledger.findings()),
    ...inspection.health.flatMap((health) => health.events.rows()),
  ];
  // A rank that the others wait for holds the whole job: as bad as it gets.
  if (failOn !== undefined && inspection.flights.some(({ analysis }) => analysis.suspects.length > 0)) return 1;
  if (failOn === "warning" && inspection.measurements.some(isOdd)) return 1;
  return failOn !== undefined && found.some(({ severity }) => severityRank(severity) >= severityRank(failOn)) ? 1 : 0;
}
