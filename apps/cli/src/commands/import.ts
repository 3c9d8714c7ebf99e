import { stdin } from "node:process";
import { sayInteger } from "@trainwatch/core";
import { readConfig, serverUrl } from "@trainwatch/server";
import { z } from "zod";
import { addConfigOptions, configOptionsSchema } from "../frame/config-options.ts";
import { defineCommand } from "../frame/define-command.ts";
import type { CommandIo } from "../frame/io.ts";
import { printJson } from "../frame/io.ts";
import { importInputs } from "../import/import-inputs.ts";
import type { ImportOutcome, ImportedRun } from "../import/import-inputs.ts";
import { createPushClient } from "../import/push-client.ts";
import { listInputs } from "../inputs/list-inputs.ts";
import { addLogOptions, checkPaths, logOptionsSchema, parseOptionsOf } from "../inputs/log-options.ts";
import { planRuns } from "../inputs/plan-runs.ts";

export const importLogs = defineCommand({
  name: "import",
  summary: "Sends finished or live logs of any known format to a server; a repeated import stores nothing new.",
  examples: [
    "trainwatch import train.log --gpus 512",
    "trainwatch import --run lab/llm-7b runs/llm-7b/ --url https://trainwatch.lab --token tw_…",
    "ssh node cat train.log | trainwatch import - --run lab/live",
  ],
  configure(command) {
    addLogOptions(command);
    addConfigOptions(command, ["config", "dataDir", "url", "token"]);
    command.option("--ended <how>", "the run has ended: finished or crashed");
  },
  options: logOptionsSchema.extend({
    config: configOptionsSchema.shape.config,
    dataDir: configOptionsSchema.shape.dataDir,
    url: configOptionsSchema.shape.url,
    token: configOptionsSchema.shape.token,
    ended: z.enum(["finished", "crashed"], "must be finished or crashed").optional(),
  }),
  async run(io, options, paths) {
    checkPaths(paths);
    const config = readConfig({ config: options.config, dataDir: options.dataDir, url: options.url, token: options.token });
    const url = await serverUrl(config);
    const parse = parseOptionsOf(options);
    const format = options.format ?? null;
    const listed = await listInputs(paths);
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
    const outcome = await importInputs(listed, planned, settings, createPushClient(url, config.token), io, stdin);
    if (io.terminal && !options.json) io.err("\r\u001B[K");
    if (options.json) printJson(io, { server: url, ...outcome, faults: outcome.faults.map(({ path, fault }) => ({ path, ...fault })) });
    else io.out(summary(outcome, url));
    for (const { fault } of outcome.faults) io.err(`trainwatch: ${fault.message}\n`);
    if (outcome.runs.length === 0 && outcome.faults.length === 0)
      io.err(`trainwatch: ${paths.join(", ")}: no log was found there; name a file or a directory that holds one.\n`);
    return outcome.faults.length > 0 || outcome.runs.length === 0 ? 2 : 0;
  },
});

/** One line that is written over, on a terminal only. */
function progressOn(io: CommandIo, json: boolean): (path: string, values: number, of: number | null) => void {
  if (!io.terminal || json) return () => undefined;
  return (path, values, of) => io.err(`\r\u001B[K${path}: ${sayInteger(values)}${of === null ? "" : ` of ${sayInteger(of)}`} values`);
}

function summary({ runs, skipped }: ImportOutcome, url: string): string {
  const lines = runs.flatMap((run) => runLines(run, url));
  if (skipped.length > 0)
    lines.push(`${sayInteger(skipped.length)} files in the directory are no logs and were passed over; --json lists them.`);
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
