import { textHash } from "@trainwatch/core";
import { excerpt, parseStep } from "../../text/number-token.ts";
import { bodyText, keyText } from "../record-sink.ts";
import type { EvalColumns, EvalOptions, EvalSink, EvalSubjectInput } from "../format.ts";
import { nameOfColumn } from "../checkpoint-csv.ts";
import { placedSink } from "../placed-sink.ts";
import { namelessModel, subjectOf } from "../subject.ts";
import { subjectOfOptions } from "../subject-of-options.ts";
import { PLACE_COLUMNS } from "../table/table-kind.ts";
import { cellCount, cellNumber, checkedNumber } from "../table/cell.ts";

/** Fields of one row by name, as text. */
export type MappedRow = ReadonlyMap<string, string>;

/**
 * Columns that long tables of results name alike; the caller's mapping goes before them. A table is only taken for one without a mapping
 * when it has a task, a metric and a value.
 */
const USUAL_COLUMNS: Readonly<Record<Exclude<keyof EvalColumns, "metrics">, readonly string[]>> = {
  model: ["model", "model_name", "checkpoint"],
  step: ["step", "global_step", "training_step"],
  task: ["task", "benchmark"],
  metric: ["metric"],
  value: ["value", "score"],
  stderr: ["stderr", "standard_error", "se"],
  n: ["n", "samples", "n_samples", "num_samples"],
  key: ["sample_id", "doc_id", "example_id"],
  prompt: ["prompt", "question", "instruction"],
  answer: ["answer", "response", "completion", "output"],
  target: ["target", "gold", "reference"],
  cluster: ["cluster", "passage_id"],
  category: ["category", "subject"],
};

type Role = keyof typeof USUAL_COLUMNS;
const ROLES: readonly Role[] = [
  "model",
  "step",
  "task",
  "metric",
  "value",
  "stderr",
  "n",
  "key",
  "prompt",
  "answer",
  "target",
  "cluster",
  "category",
];

/** Which column plays which part. Names of a mapping that the table has not are told once. */
export interface Mapping {
  readonly roles: ReadonlyMap<Role, string>;
  /** Column of the checkpoint's path or revision. */
  readonly places: string | undefined;
  /** Columns that are metrics themselves. */
  readonly metrics: readonly string[];
}

export function mappingOf(columns: readonly string[], options: EvalOptions, sink: EvalSink): Mapping {
  const byLower = new Map(columns.map((name) => [name.trim().toLowerCase(), name]));
  const roles = new Map<Role, string>();
  const find = (wanted: string): string | undefined => {
    const found = columns.find((name) => name === wanted) ?? byLower.get(wanted.trim().toLowerCase());
    if (found === undefined)
      sink.issue({ line: 1, code: "no-column", message: `The table has no column "${excerpt(wanted)}", which the mapping names.` });
    return found;
  };
  for (const role of ROLES) {
    const wanted = options.columns?.[role];
    const usual =
      options.columns === undefined || USUAL_ALWAYS.has(role)
        ? USUAL_COLUMNS[role].map((name) => byLower.get(name)).find((name) => name !== undefined)
        : undefined;
    const column = wanted === undefined ? usual : find(wanted);
    if (column !== undefined && ![...roles.values()].includes(column)) roles.set(role, column);
  }
  const places = PLACE_COLUMNS.map((name) => byLower.get(name)).find((name) => name !== undefined);
  const taken = new Set([...roles.values(), ...(places === undefined ? [] : [places])]);
  const metrics = roles.has("value")
    ? []
    : (options.columns?.metrics?.flatMap((name) => find(name) ?? []) ?? columns.filter((name) => !taken.has(name)));
  return { roles, places, metrics };
}

/** Parts that are found by their usual names beside a mapping too. */
const USUAL_ALWAYS = new Set<Role>(["model", "step", "task"]);

export interface RowReader {
  row(row: MappedRow, line: number): void;
}

/** Turns rows into samples where the mapping names a key, else into measures. */
export function mappedRows({ roles, metrics, places }: Mapping, options: EvalOptions, outer: EvalSink): RowReader {
  const sink = placedSink(outer);
  const named = options.columns?.metrics !== undefined;
  const place = roles.get("model") === places ? undefined : places;
  let nameless: EvalSubjectInput | null | undefined;

  /** The row's subject; null when nothing names a model, undefined when its step cannot be read. */
  function subjectOfRow(cell: (role: Role) => string, row: MappedRow, line: number): EvalSubjectInput | null | undefined {
    const token = cell("step");
    const parsed = token === "" ? null : parseStep(/^\d+\.0+$/.test(token) ? token.replace(/\.0+$/, "") : token);
    if (parsed !== null && "fault" in parsed) {
      sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}; the row was left out.` });
      return undefined;
    }
    const model = cell("model");
    const path = place === undefined ? "" : (row.get(place)?.trim() ?? "");
    if (model !== "") return subjectOf(model, { step: parsed?.step ?? null, path: path === "" ? null : path });
    if (roles.has("model")) {
      sink.issue({ line, code: "no-model", message: "The row names no model; it was left out." });
      return undefined;
    }
    if (nameless === undefined) nameless = namelessModel(options, sink) === null ? null : subjectOfOptions(options);
    return nameless === null ? null : { ...nameless, step: parsed?.step ?? nameless.step ?? null };
  }

  return {
    row(row, line) {
      sink.at(line);
      const cell = (role: Role): string => row.get(roles.get(role) ?? "")?.trim() ?? "";
      const subject = subjectOfRow(cell, row, line);
      if (subject === undefined || subject === null) return;
      const numbers = metrics.flatMap((column) => {
        const text = row.get(column) ?? "";
        const logical = LOGICAL[text.trim().toLowerCase()];
        // Without a list of metrics a column of words is none, and a word in a column of numbers no number that is missing.
        if (!named && logical === undefined && cellNumber(text) === undefined) return [];
        return [{ column, ...(logical === undefined ? checkedNumber(text, { line, column }, sink) : { value: logical, unit: null }) }];
      });
      const body = (role: Role): string | null =>
        row.get(roles.get(role) ?? "") === undefined ? null : bodyText(row.get(roles.get(role) ?? "") ?? "");
      if (roles.has("key")) {
        const key = cell("key") || (body("prompt") === null ? "" : `prompt:${textHash(body("prompt") ?? "")}`);
        if (key === "") return sink.issue({ line, code: "no-key", message: "The row has no key; it was left out." });
        const own = roles.get("value") ?? "";
        const scores = roles.has("value")
          ? [[cell("metric") || own, checkedNumber(row.get(own) ?? "", { line, column: own }, sink).value] as const]
          : numbers.map(({ column, value }) => [column, value] as const);
        return sink.record({
          kind: "sample",
          subject,
          task: cell("task") || "table",
          key: keyText(key),
          scores: Object.fromEntries(scores.map(([name, value]) => [name.slice(0, 128), value])),
          cluster: keyText(cell("cluster")) || null,
          category: keyText(cell("category")) || null,
          prompt: body("prompt"),
          target: body("target"),
          answer: body("answer"),
        });
      }
      if (roles.has("value")) {
        const column = roles.get("value") ?? "";
        const { value, unit } = checkedNumber(row.get(column) ?? "", { line, column }, sink);
        const stderr = roles.has("stderr")
          ? checkedNumber(row.get(roles.get("stderr") ?? "") ?? "", { line, column: "stderr" }, sink).value
          : null;
        return sink.record({
          kind: "measure",
          subject,
          task: cell("task") || "table",
          metric: cell("metric") || column,
          value,
          unit,
          stderr,
          n: cellCount(cell("n")),
        });
      }
      for (const { column, value, unit } of numbers) {
        const task = cell("task");
        const name = task === "" ? nameOfColumn(column) : { task, metric: column };
        sink.record({ kind: "measure", subject, ...name, value, unit, n: cellCount(cell("n")) });
      }
    },
  };
}

const LOGICAL: Readonly<Record<string, number>> = { true: 1, false: 0 };
