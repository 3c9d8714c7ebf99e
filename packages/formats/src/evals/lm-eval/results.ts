import type { EvalSettings } from "@trainwatch/core";
import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import { excerpt } from "../../text/number-token.ts";
import type { EvalFormat, EvalMeasureInput, EvalOptions, EvalSink, EvalSubjectInput } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, listOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { recordSink } from "../record-sink.ts";
import { NO_MODEL } from "../subject-of-options.ts";
import { leavesOf, type Part, samplesOf, settingsOfGroup, type Subtasks, weighting } from "./groups.ts";
import { readMetricKey } from "./metric-key.ts";
import { settingsOfTask } from "./settings.ts";
import { subjectOfResults } from "./subject.ts";
import { rowId, type TaskRow, taskRows } from "./task-rows.ts";

/**
 * Results of lm-evaluation-harness: version 0.4 ("acc,none" with filters, groups, hashes) and those before ("acc"), told apart by their
 * keys. Groups that stand in `results` and in `groups` are given once. Memory: the document.
 */
export const lmEvalResults = {
  id: "lm-eval",
  title: "lm-evaluation-harness results",
  source: "results_*.json of EleutherAI's lm-evaluation-harness, version 0.4, and the one result file of the versions before.",
  sniff: (head) => confidence(headValues(decodeUtf8(head), 1)[0]),
  parser: (sink, options) => documentEval(sink, (document) => readResults(document, options, sink)),
} satisfies EvalFormat;

/** Results whose tasks hold metrics by their harness's names: with a filter (0.4), or with a standard error beside (before). */
function confidence(document: JsonValue | undefined): number {
  const root = objectOf(document);
  const results = objectOf(fieldOf(root, "results"));
  if (root === null || results === null) return 0;
  const tasks = Object.values(results)
    .slice(0, 20)
    .map((task) => objectOf(task));
  const keys = tasks.flatMap((task) =>
    Object.entries(task ?? {})
      .filter(([, value]) => typeof value === "number" || value === "N/A")
      .map(([key]) => key),
  );
  if (keys.some((key) => /^[^,\s]+_stderr,/.test(key))) return 0.95;
  if (keys.some((key) => key.includes(",")) && ("configs" in root || "n-shot" in root)) return 0.95;
  if (keys.some((key) => readMetricKey(key)?.isStderr === true && keys.includes(key.slice(0, -"_stderr".length)))) return 0.9;
  return keys.length > 0 && objectOf(fieldOf(root, "versions")) !== null && objectOf(fieldOf(root, "config")) !== null ? 0.85 : 0;
}

interface Task {
  readonly name: string;
  readonly rows: readonly TaskRow[];
  readonly result: JsonObject;
}

function readResults(document: JsonValue, options: EvalOptions, sink: EvalSink): void {
  const root = objectOf(document);
  if (root === null || objectOf(fieldOf(root, "results")) === null)
    return sink.issue({ line: 1, code: "no-results", message: "The document holds no results of lm-evaluation-harness." });
  const subject = subjectOfResults(root, options);
  if (subject === null) return sink.issue({ line: 1, code: "no-model", message: NO_MODEL });
  const tasks = tasksOf(root, sink);
  const record = recordSink(sink);
  for (const measure of measuresOf(root, tasks, subject)) record(measure, 1);
  if (tasks.every(({ rows }) => rows.length === 0))
    sink.issue({ line: 1, code: "no-values", message: "The results hold no metric of any task." });
}

function tasksOf(root: JsonObject, sink: EvalSink): readonly Task[] {
  const results = { ...objectOf(fieldOf(root, "groups")), ...objectOf(fieldOf(root, "results")) };
  return Object.entries(results).flatMap(([name, value]) => {
    const result = objectOf(value);
    if (result === null) {
      sink.issue({ line: 1, code: "bad-task", message: `The results of "${excerpt(name)}" are no object; they were left out.` });
      return [];
    }
    const { rows, unread } = taskRows(result);
    for (const key of unread)
      sink.issue({
        line: 1,
        code: "unread-metric",
        message: `"${excerpt(key)}" of "${excerpt(name)}" is no metric that can be read; it was left out.`,
      });
    return [{ name, rows, result }];
  });
}

function* measuresOf(root: JsonObject, tasks: readonly Task[], subject: EvalSubjectInput): Iterable<EvalMeasureInput> {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const subtasks = subtasksOf(root);
  const evaluatedAtMs = epochMs(fieldOf(root, "date"));
  const settings = new Map<string, EvalSettings>();
  const settingsOf = (task: string): EvalSettings => {
    const known = settings.get(task) ?? versioned(settingsOfTask(root, task), tasks);
    settings.set(task, known);
    return known;
  };
  const partOf = (task: string, row: TaskRow): Part => partIn(root, byName.get(task), row);

  for (const { name, rows, result } of tasks) {
    const inside = subtasks.get(name) ?? [];
    const leaves = inside.length === 0 ? [] : leavesOf(name, subtasks);
    const own =
      inside.length === 0 ? settingsOf(name) : settingsOfGroup(settingsOf(name), new Map(leaves.map((leaf) => [leaf, settingsOf(leaf)])));
    for (const row of rows) {
      const parts = having(leaves, row, byName).map((leaf) => partOf(leaf, row));
      const direct = having(inside, row, byName).map((task) => partOf(task, row));
      const told = samplesTold(root, name, result, row);
      yield {
        kind: "measure",
        subject,
        task: name,
        metric: row.metric,
        filter: row.filter,
        value: row.value,
        stderr: row.stderr,
        n: inside.length === 0 ? told : (countTold(result, row) ?? samplesOf(parts)),
        higherIsBetter: directionOf(root, name, row.metric),
        group: inside.length === 0 ? null : { subtasks: having(inside, row, byName), mean: weighting(row.value, direct, parts) },
        settings: own,
        evaluatedAtMs,
      };
    }
  }
}

/** Subtasks that have this row: a group of unlike tasks averages each metric over those that give it. */
function having(tasks: readonly string[], row: TaskRow, byName: ReadonlyMap<string, Task>): string[] {
  return tasks.filter((task) => byName.get(task)?.rows.some((other) => rowId(other) === rowId(row)));
}

function partIn(root: JsonObject, task: Task | undefined, row: TaskRow): Part {
  const value = task?.rows.find((other) => rowId(other) === rowId(row))?.value ?? null;
  return { value, n: task === undefined ? null : samplesTold(root, task.name, task.result, row) };
}

/** Samples that count in a value: what was evaluated, not what the task holds. */
function samplesTold(root: JsonObject, task: string, result: JsonObject, row: TaskRow): number | null {
  const effective = numberOf(fieldOf(objectOf(fieldOf(objectOf(fieldOf(root, "n-samples")), task)), "effective"));
  return countOf(effective) ?? countTold(result, row) ?? countOf(numberOf(fieldOf(result, "sample_len")));
}

function countTold(result: JsonObject, row: TaskRow): number | null {
  return countOf(numberOf(fieldOf(objectOf(fieldOf(result, "sample_count")), row.key)));
}

function countOf(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function subtasksOf(root: JsonObject): Subtasks {
  const groups = Object.entries(objectOf(fieldOf(root, "group_subtasks")) ?? {});
  return new Map(groups.map(([name, list]) => [name, (listOf(list) ?? []).flatMap((task) => textOf(task) ?? [])]));
}

function directionOf(root: JsonObject, task: string, metric: string): boolean | null {
  const value = fieldOf(objectOf(fieldOf(objectOf(fieldOf(root, "higher_is_better")), task)), metric);
  return typeof value === "boolean" ? value : null;
}

/** Versions before 0.4 wrote no version; their keys have no filter. */
function versioned(settings: EvalSettings, tasks: readonly Task[]): EvalSettings {
  const filtered = tasks.some(({ rows }) => rows.some(({ key }) => key.includes(",")));
  return filtered || settings["harnessVersion"] !== undefined ? settings : { ...settings, harnessVersion: "before 0.4" };
}

/** `date` is in epoch seconds. */
function epochMs(value: JsonValue | undefined): number | null {
  const seconds = numberOf(value);
  return seconds !== null && seconds > 0 && seconds < 1e11 ? Math.round(seconds * 1000) : null;
}
