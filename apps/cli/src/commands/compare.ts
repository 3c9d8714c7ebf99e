import { stdin } from "node:process";
import { AppError, CORRECTIONS, MOST_CANDIDATES, sayInteger } from "@trainwatch/core";
import { type ColumnInput, compareRelease, releaseCsv } from "@trainwatch/decide";
import { z } from "zod";
import { chooseBaseline, listed } from "../compare/choose-baseline.ts";
import { addExamplePrompts } from "../compare/example-prompts.ts";
import { compareReport, trendReport } from "../compare/compare-report.ts";
import { notReadLines, skippedOf } from "../compare/not-read.ts";
import { readColumns, type ReadColumns } from "../compare/read-columns.ts";
import { isRegression, textComparison } from "../compare/text-comparison.ts";
import { textTrends } from "../compare/text-trends.ts";
import { modelTrends } from "../compare/trends.ts";
import { withCompanions } from "../evals/companions.ts";
import { addEvalOptions, evalFormatSchema, evalOptionsOf, evalOptionsSchema } from "../evals/eval-options.ts";
import { sortInputs } from "../evals/sort-inputs.ts";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import { listInputs } from "../inputs/list-inputs.ts";

/** Most tasks in a message. */
const MOST_NAMED = 20;

/** Of the bootstrap and the weightings: the same files give the same answer. */
const SEED = 1;
const share = z.coerce.number<string>("must be a number");
/** `gsm8k=2`; a task may have `=` in its name. */
const weightSchema = z.string().transform((text, context): readonly [task: string, weight: number] => {
  const at = text.lastIndexOf("=");
  const weight = Number(text.slice(at + 1));
  if (at > 0 && text.slice(at + 1).trim() !== "" && weight >= 0 && Number.isFinite(weight)) return [text.slice(0, at), weight];
  context.addIssue({ code: "custom", message: `must be task=number, a number of at least 0, not ${JSON.stringify(text)}` });
  return z.NEVER;
});

export const compare = defineCommand({
  name: "compare",
  summary: "Compares evaluation results offline: what is better, worse, tied or not comparable. No server, no database.",
  examples: [
    "trainwatch compare evals/ --baseline 1000",
    "trainwatch compare results/v2.3 results/v2.4-rc1 --baseline results/v2.3",
    "trainwatch compare evals/ --baseline org/model@1000 --only org/model@2000 --regressions",
    "trainwatch compare evals/ --baseline 1000 --json --fail-on worse",
    "trainwatch compare evals/ --trend",
  ],
  configure(command) {
    command
      .argument("<paths...>", "files of evaluation results, or directories that hold them (walked)")
      .option("--baseline <name>", "what the others are compared with: a model, model@step, a step, or a path")
      .option("--trend", "instead of comparing: every measure over the steps of each model, with its peak and the peak's interval")
      .option("--only <names...>", `these candidates, named alike (default: all, at most ${MOST_CANDIDATES}); of --trend these models`)
      .option("--by <what>", "columns by model and step, or by path as given (default: by model, by path where there is one model only)")
      .option("--correction <method>", "for many tests: holm or benjamini-hochberg", "holm")
      .option("--level <share>", "confidence of the intervals; the verdicts together err by 1 − level", "0.95")
      .option("--margin <share>", "a loss that does not matter, as a share of the scale", "0.01")
      .option("--weight <task=number...>", "how much a task counts in the regression risk beside the others (default: 1; 0: not at all)")
      .option("--allow", "compare in spite of settings that differ; they are still named")
      .option("--regressions", "show only what got worse")
      .option("--csv", "print rows as CSV")
      .option("--fail-on <verdict>", "exit 1 where a row got worse: worse")
      .option("--format <id>", "all paths are of this format");
    addEvalOptions(command);
  },
  options: evalOptionsSchema.extend({
    json: z.boolean(),
    baseline: z.string().min(1, "names nothing").optional(),
    trend: z.boolean().optional(),
    only: z.array(z.string()).optional(),
    by: z.enum(["model", "path"], "must be model or path").optional(),
    correction: z.enum(CORRECTIONS, "must be holm or benjamini-hochberg"),
    level: share.pipe(z.number().min(0.8, "must be at least 0.8").max(0.999, "must be at most 0.999")),
    margin: share.pipe(z.number().gt(0, "must be above 0").max(1, "must be at most 1")),
    weight: z.array(weightSchema).optional(),
    allow: z.boolean().optional(),
    regressions: z.boolean().optional(),
    csv: z.boolean().optional(),
    failOn: z.enum(["worse"], "must be worse").optional(),
    format: evalFormatSchema.optional(),
  }),
  async run(io, options, paths) {
    const sorted = await sortInputs(await listInputs(paths), stdin, options.format ?? null);
    const planned = await withCompanions(sorted.evals, evalOptionsOf(options), io, stdin);
    const read = await readColumns(planned, paths, options.by ?? null, io, stdin);
    const faults = [
      ...sorted.others.flatMap(({ walked, fault, noEval }) => (walked && fault === null ? [] : [wayOut(noEval)])),
      ...sorted.refused.filter(({ walked }) => !walked).map(({ fault }) => fault),
      ...read.files.flatMap(({ fault }) => (fault === null ? [] : [fault])),
    ];
    for (const { message } of faults) io.err(`trainwatch: ${message}\n`);
    const columns = read.columns.filter(({ measures, pairs }) => measures.length + pairs.length > 0);
    if (columns.length === 0) throw nothingFound(read, paths);
    const told = { ...read, skipped: skippedOf(sorted) };
    const notRead = notReadLines(read.files, read.notes, told.skipped).map((line) => `${line}\n`);
    const after = notRead.length === 0 ? "" : `\n${notRead.join("")}`;
    if (options.trend === true) {
      const trends = modelTrends(columns, options.only ?? null, { level: options.level, seed: SEED });
      if (options.json) printJson(io, trendReport(told, trends, faults));
      else io.out(`${textTrends(trends)}${after}`);
      return faults.length > 0 ? 2 : 0;
    }
    if (options.baseline === undefined)
      throw new AppError("bad-request", `Name what to compare with: --baseline NAME. There are ${listed(columns)}. (--trend needs none.)`);
    const kept = { columns, paths: columns.map((column) => read.paths[read.columns.indexOf(column)] ?? []) };
    const baseline = chooseBaseline(kept, options.baseline);
    const candidates =
      (options.only ?? []).length > 0 ? (options.only ?? []).map((name) => chooseBaseline(kept, name)) : columns.map((_, index) => index);
    const chosen = [...new Set([baseline, ...candidates])].flatMap((index) => columns[index] ?? []);
    if (chosen.length < 2)
      throw new AppError(
        "bad-request",
        `There is nothing to compare ${JSON.stringify(options.baseline)} with: all results are of ${listed(columns)}.`,
      );
    if (chosen.length > MOST_CANDIDATES + 1)
      throw new AppError(
        "bad-request",
        `${sayInteger(chosen.length - 1)} candidates are more than the ${MOST_CANDIDATES} that fit beside a baseline; choose some with --only. There are ${listed(columns)}.`,
      );
    const taskWeights = Object.fromEntries(options.weight ?? []);
    assertTasks(Object.keys(taskWeights), chosen);
    const { correction, level, margin } = options;
    const settings = { columns: chosen, correction, level, margin, seed: SEED, taskWeights };
    const first = compareRelease({ ...settings, allowed: [] });
    const allowed = options.allow === true ? notComparable(first) : [];
    const compared = allowed.length === 0 ? first : compareRelease({ ...settings, allowed });
    const comparison = addExamplePrompts(compared, read.records);
    if (options.json) printJson(io, compareReport(told, comparison, faults));
    else if (options.csv === true) {
      io.out(releaseCsv(comparison));
      io.err(notRead.join(""));
    } else io.out(`${textComparison(comparison, { onlyRegressions: options.regressions === true })}${after}`);
    if (faults.length > 0) return 2;
    return options.failOn === "worse" && comparison.rows.some(isRegression) ? 1 : 0;
  },
});

/** Of a file that looks like nothing known the user may know more. */
function wayOut({ code, message }: InputFault): InputFault {
  return code === "unknown"
    ? { code, message: `${message} Name the format with --format; of a table of your own its columns with --columns too.` }
    : { code, message };
}

/** A weight of a task that nobody has run is a slip of the pen. */
function assertTasks(named: readonly string[], columns: readonly ColumnInput[]): void {
  const tasks = [...new Set(columns.flatMap(({ measures }) => measures.map(({ task }) => task)))];
  const unknown = named.find((task) => !tasks.includes(task));
  if (unknown === undefined) return;
  const some = tasks.slice(0, MOST_NAMED).join(", ");
  const rest = tasks.length > MOST_NAMED ? ` and ${sayInteger(tasks.length - MOST_NAMED)} more` : "";
  throw new AppError("bad-request", `--weight ${JSON.stringify(unknown)} is none of the tasks; there are ${some}${rest}.`);
}

/** What `--allow` allows: every cell that differs in its settings. */
function notComparable({ columns, rows }: ReturnType<typeof compareRelease>): { readonly rowKey: string; readonly scorecardId: number }[] {
  return rows.flatMap(({ key, cells }) =>
    cells.flatMap(({ differences }, index) => {
      const scorecardId = columns[index]?.scorecardId;
      return differences.some(({ forbids }) => forbids) && scorecardId !== undefined ? [{ rowKey: key, scorecardId }] : [];
    }),
  );
}

function nothingFound({ files }: ReadColumns, paths: readonly string[]): AppError {
  const checkpoints = files.reduce((sum, file) => sum + file.checkpoints, 0);
  return new AppError(
    "bad-request",
    checkpoints > 0
      ? `${paths.join(", ")}: ${sayInteger(checkpoints)} checkpoints are listed there and no score of them; name the results of their evaluation.`
      : `${paths.join(", ")}: no evaluation result was found there; name files or a directory that holds some.`,
  );
}
