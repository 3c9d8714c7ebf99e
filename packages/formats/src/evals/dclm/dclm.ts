import { stepOfText, toJsonNumber } from "@trainwatch/core";
import { excerpt } from "../../text/number-token.ts";
import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import type { EvalFormat, EvalMeasureInput, EvalOptions, EvalSink } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { recordSink } from "../record-sink.ts";
import { NO_MODEL, subjectOfOptions } from "../subject-of-options.ts";

/**
 * An evaluation of DCLM: accuracies of its in-context tasks under `eval_metrics.icl`, and means over sets of them beside. Means "centered"
 * stretch each task from its chance level (0) to 1, so they are another metric. `creation_date` names no zone and is read as UTC. Memory: the document.
 */
export const dclm = {
  id: "dclm",
  title: "DCLM evaluation",
  source: "evaluation_*.json of DCLM (DataComp for language models).",
  sniff: (head) => confidence(headValues(decodeUtf8(head), 1)[0]),
  parser: (sink, options) => documentEval(sink, (document) => readDclm(document, options, sink)),
} satisfies EvalFormat;

function confidence(document: JsonValue | undefined): number {
  return objectOf(fieldOf(objectOf(fieldOf(objectOf(document), "eval_metrics")), "icl")) === null ? 0 : 0.95;
}

const ACCURACY = "accuracy";
const CENTERED = "accuracy_centered";
/** Means that are centered without saying so in their name. */
const CENTERED_MEANS = /^(?:Core|Extended)(?:_v\d+)?$|_centered(?:_results)?$/;
const BY_CATEGORY = "aggregated_task_categories_centered";

function readDclm(document: JsonValue, options: EvalOptions, sink: EvalSink): void {
  const root = objectOf(document);
  const icl = objectOf(fieldOf(objectOf(fieldOf(root, "eval_metrics")), "icl"));
  if (root === null || icl === null) return sink.issue({ line: 1, code: "no-results", message: "The document holds no eval_metrics.icl." });
  const model = textOf(fieldOf(root, "model"))?.trim() ?? "";
  const subject =
    model === "" ? subjectOfOptions(options) : { model, step: stepOfText(model) ?? stepOfText(options.path ?? ""), path: null };
  if (subject === null) return sink.issue({ line: 1, code: "no-model", message: NO_MODEL });
  const record = recordSink(sink);
  const version = textOf(fieldOf(root, "eval_version"));
  const alike = {
    kind: "measure",
    subject,
    unit: "share",
    higherIsBetter: true,
    settings: { harness: "dclm", ...(version === null ? {} : { harnessVersion: version }) },
    evaluatedAtMs: timeOf(textOf(fieldOf(root, "creation_date"))),
  } as const;
  for (const row of [...tasks(icl), ...means(root, icl)]) record({ ...alike, ...row, value: toJsonNumber(row.value) }, 1);
  for (const [key, value] of Object.entries(icl))
    if (value !== null && numberOf(value) === null)
      sink.issue({ line: 1, code: "unreadable-value", message: `"${excerpt(key)}" holds no number; it was left out.` });
}

interface Row extends Pick<EvalMeasureInput, "task" | "metric" | "group"> {
  readonly value: number | null;
}

function* tasks(icl: JsonObject): Iterable<Row> {
  for (const [task, value] of Object.entries(icl))
    if (value === null || typeof value === "number") yield { task, metric: ACCURACY, group: null, value };
}

/** Means over sets of tasks. Of `aggregated_results` the set is known when its value shows it: all tasks, each alike. */
function* means(root: JsonObject, icl: JsonObject): Iterable<Row> {
  for (const [category, value] of Object.entries(objectOf(fieldOf(root, BY_CATEGORY)) ?? {}))
    if (typeof value === "number") yield { task: category, metric: CENTERED, group: { subtasks: [], mean: null }, value };
  for (const [name, value] of Object.entries(root)) {
    if (typeof value !== "number") continue;
    const isAll = name === "aggregated_results" && isMeanOf(value, Object.values(icl));
    yield {
      task: name,
      metric: CENTERED_MEANS.test(name) ? CENTERED : ACCURACY,
      group: isAll ? { subtasks: Object.keys(icl), mean: "macro" } : { subtasks: [], mean: null },
      value,
    };
  }
}

function isMeanOf(value: number, values: readonly (JsonValue | undefined)[]): boolean {
  const numbers = values.filter((item) => typeof item === "number");
  if (numbers.length === 0 || numbers.length < values.length) return false;
  return Math.abs(numbers.reduce((sum, item) => sum + item, 0) / numbers.length - value) < 1e-9;
}

/** "2031_06_12-07_07_17". */
function timeOf(text: string | null): number | null {
  const [, ...parts] = /^(\d{4})_(\d{2})_(\d{2})-(\d{2})_(\d{2})_(\d{2})$/.exec(text ?? "") ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return parts.length === 0 ? null : Math.max(0, Date.UTC(year, month - 1, day, hour, minute, second));
}
