import { stdin } from "node:process";
import { AppError, sayInteger } from "@trainwatch/core";
import { readConfig, serverUrl } from "@trainwatch/server";
import { z } from "zod";
import { withCompanions } from "../evals/companions.ts";
import { addEvalOptions, evalFormatSchema, evalOptionsOf, evalOptionsSchema } from "../evals/eval-options.ts";
import { sortInputs } from "../evals/sort-inputs.ts";
import { addConfigOptions, configOptionsSchema } from "../frame/config-options.ts";
import { defineCommand } from "../frame/define-command.ts";
import type { CommandIo } from "../frame/io.ts";
import { printJson } from "../frame/io.ts";
import { type SentAssignments, sendAssignments } from "../import/assignment-file.ts";
import { evalLines, importEvals } from "../import/import-evals.ts";
import { importInputs } from "../import/import-inputs.ts";
import type { ImportOutcome, ImportedRun } from "../import/import-inputs.ts";
import { createPushClient } from "../import/push-client.ts";
import { listInputs } from "../inputs/list-inputs.ts";
import { addLogOptions, checkPaths, logOptionsSchema, parseOptionsOf } from "../inputs/log-options.ts";
import { planRuns } from "../inputs/plan-runs.ts";

export const importLogs = defineCommand({
  name: "import",
  summary: "Sends logs and evaluation results of any known format to a server; a repeated import stores nothing new.",
  examples: [
    "trainwatch import train.log --gpus 512",
    "trainwatch import --run lab/llm-7b runs/llm-7b/ --url https://trainwatch.lab --token tw_…",
    "trainwatch import --run lab/llm-7b evals/",
    "trainwatch import --assignments ranks.jsonl",
    "ssh node cat train.log | trainwatch import - --run lab/live",
  ],
  configure(command) {
    addLogOptions(command, false);
    addEvalOptions(command);
    command.option("--eval-format <id>", "all paths are evaluation results of this format");
    addConfigOptions(command, ["config", "dataDir", "url", "token"]);
    command.option("--ended <how>", "the run has ended: finished or crashed");
    command.option(
      "--assignments <file>",
      "which rank ran on which GPU: JSON Lines of { run, attempt, rank, node, gpuUuid | gpuIndex, pp, from, to }",
    );
  },
  options: logOptionsSchema.extend({
    ...evalOptionsSchema.shape,
    evalFormat: evalFormatSchema.optional(),
    config: configOptionsSchema.shape.config,
    dataDir: configOptionsSchema.shape.dataDir,
    url: configOptionsSchema.shape.url,
    token: configOptionsSchema.shape.token,
    ended: z.enum(["finished", "crashed"], "must be finished or crashed").optional(),
    assignments: z.string().min(1, "names no file").optional(),
  }),
  async run(io, options, paths) {
    checkPaths(paths);
    if (paths.length === 0 && options.assignments === undefined)
      throw new AppError("bad-request", "missing required argument 'paths': name log files, or an assignment file with --assignments.");
    const config = readConfig({ config: options.config, dataDir: options.dataDir, url: options.url, token: options.token });
    const url = await serverUrl(config);
    const client = createPushClient(url, config.token);
    const assigned = options.assignments === undefined ? null : await sendAssignments(options.assignments, client);
    const assignmentFault = assigned !== null && "fault" in assigned ? assigned.fault : null;
    const assignments = assigned !== null && "sent" in assigned ? assigned.sent : null;
    if (paths.length === 0) {
      if (assignmentFault !== null) io.err(`trainwatch: ${assignmentFault.message}\n`);
      if (options.json)
        printJson(io, {
          server: url,
          assignments,
          faults: assignmentFault === null ? [] : [{ path: options.assignments, ...assignmentFault }],
        });
      else if (assignments !== null) io.out(assignmentLine(assignments));
      return assignmentFault === null ? 0 : 2;
    }
    const parse = parseOptionsOf(options);
    const format = options.format ?? null;
    const sorted = await sortInputs(await listInputs(paths), stdin, options.evalFormat ?? null);
    const listed = sorted.others;
    const planned = await planRuns(listed, { run: options.run ?? null, parse, format }, stdin);
    const settings = {
      parse,
      format,
      metadata: {
        ...(options.gpus === undefined ? {} : { gpus: options.gpus }),
        ...(options.checkpointEvery === undefined ? {} : { checkpointEvery: options.checkpointEvery }),
      },
      ended: options.ended ?? null,
      onProgress: progressOn(io, options.json),
    };
    const outcome = await importInputs(listed, planned, settings, client, io, stdin);
    const evals = await withCompanions(sorted.evals, evalOptionsOf(options), io, stdin);
    const results = await importEvals(evals, options.run ?? null, client, io, stdin);
    if (io.terminal && !options.json) io.err("\r\u001B[K");
    const refused = sorted.refused.filter(({ walked }) => !walked);
    const skipped = [
      ...outcome.skipped,
      ...sorted.refused.filter(({ walked }) => walked).map(({ path, fault }) => ({ path, why: fault.message })),
    ];
    const faults = [
      ...outcome.faults,
      ...results.faults,
      ...refused,
      ...(assignmentFault === null ? [] : [{ path: options.assignments ?? "", fault: assignmentFault }]),
    ];
    if (options.json)
      printJson(io, {
        server: url,
        runs: outcome.runs,
        evals: results.evals,
        skipped,
        assignments,
        faults: faults.map(({ path, fault }) => ({ path, ...fault })),
      });
    else
      io.out(
        `${assignments === null ? "" : assignmentLine(assignments)}${summary(outcome.runs, evalLines(results, url), skipped.length, url)}`,
      );
    for (const { fault } of faults) io.err(`trainwatch: ${fault.message}\n`);
    const isNothing = outcome.runs.length === 0 && results.evals.length === 0;
    if (isNothing && faults.length === 0)
      io.err(`trainwatch: ${paths.join(", ")}: no log was found there, and no evaluation; name a file or a directory that holds one.\n`);
    return faults.length > 0 || isNothing ? 2 : 0;
  },
});

function assignmentLine({ sent, runs }: SentAssignments): string {
  return `${sayInteger(sent)} assignments of ranks sent, of ${runs === 1 ? "1 run" : `${sayInteger(runs)} runs`}\n`;
}

/** One line that is written over, on a terminal only. */
function progressOn(io: CommandIo, json: boolean): (path: string, values: number, of: number | null) => void {
  if (!io.terminal || json) return () => undefined;
  return (path, values, of) => io.err(`\r\u001B[K${path}: ${sayInteger(values)}${of === null ? "" : ` of ${sayInteger(of)}`} values`);
}

function summary(runs: ImportOutcome["runs"], evals: readonly string[], skipped: number, url: string): string {
  const lines = [...runs.flatMap((run) => runLines(run, url)), ...evals];
  if (skipped > 0)
    lines.push(`${sayInteger(skipped)} files in the directory are neither logs nor evaluations and were passed over; --json lists them.`);
  return lines.map((line) => `${line}\n`).join("");
}

function runLines({ project, name, inputs }: ImportedRun, url: string): string[] {
  const total = (pick: (input: ImportedRun["inputs"][number]) => number): number => inputs.reduce((sum, input) => sum + pick(input), 0);
  const runId = inputs.at(-1)?.runId ?? null;
  const parts: readonly (readonly [number, string])[] = [
    [total((input) => input.accepted), "accepted"],
    [total((input) => input.repeated), "repeated"],
    [total((input) => input.refused), "refused"],
    [total((input) => input.flagged), "flagged"],
    [total((input) => input.unplaced), "without a step or a time, not sent"],
    [total((input) => input.issues), "places in the log not read"],
  ];
  const said = parts.filter(([count], index) => index < 3 || count > 0).map(([count, word]) => `${sayInteger(count)} ${word}`);
  return [
    `${project}/${name}: ${said.join(", ")}${runId === null ? "" : ` · ${url}/runs/${runId}`}`,
    ...inputs.flatMap((input) => input.refusals.map((message) => `  refused: ${message}`)),
  ];
}
