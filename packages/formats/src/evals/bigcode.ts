import { decodeUtf8 } from "../text/utf8-decoder.ts";
import type { EvalFormat, EvalOptions, EvalSink } from "./format.ts";
import { documentEval } from "./json/document.ts";
import { fieldOf, numberOf, objectOf, textOf } from "./json/json-fields.ts";
import { headValues, type JsonObject } from "./json/json-value.ts";
import { placedSink } from "./placed-sink.ts";
import { namelessModel, subjectOf } from "./subject.ts";

const METRIC = /^(?:pass@\d+|avg_.+|exact_match|bleu|codebleu|em|accuracy|.*_(?:score|bleu))$/i;

/** Results of bigcode-evaluation-harness: `{"humaneval": {"pass@1": 0.31, "pass@10": 0.55}, "config": {…}}`. It tells no errors and no counts. */
export const bigcode = {
  id: "bigcode",
  title: "bigcode-evaluation-harness results",
  source: "evaluation_results.json of bigcode-evaluation-harness.",
  sniff(head) {
    const [document] = headValues(decodeUtf8(head), 1);
    const object = objectOf(document);
    const config = objectOf(fieldOf(object, "config"));
    if (object === null || config === null || Object.hasOwn(object, "results")) return 0;
    if (!["model", "revision", "temperature", "n_samples"].every((name) => Object.hasOwn(config, name))) return 0;
    return tasksOf(object).some(([, metrics]) => Object.keys(metrics).some((name) => METRIC.test(name))) ? 0.9 : 0;
  },
  parser: (sink, options) =>
    documentEval(sink, (document) => {
      const object = objectOf(document);
      if (object === null) sink.issue({ line: 1, code: "no-rows", message: "The document is no object with results by task." });
      else readResults(object, placedSink(sink), options);
    }),
} satisfies EvalFormat;

function tasksOf(document: JsonObject): readonly (readonly [task: string, metrics: JsonObject])[] {
  return Object.entries(document).flatMap(([task, value]) => {
    const metrics = objectOf(value);
    return task === "config" || metrics === null ? [] : [[task, metrics] as const];
  });
}

/** What decides how the programs were made and judged. */
const GENERATION = [
  "temperature",
  "top_p",
  "top_k",
  "n_samples",
  "do_sample",
  "max_length_generation",
  "seed",
  "precision",
  "eos",
  "prefix",
] as const;

function readResults(document: JsonObject, sink: EvalSink, options: EvalOptions): void {
  const config = objectOf(fieldOf(document, "config"));
  const named = textOf(fieldOf(config, "model"))?.trim();
  const model = named || namelessModel(options, sink);
  if (model === null) return;
  const revision = textOf(fieldOf(config, "revision"))?.trim() ?? "";
  const subject = subjectOf(revision === "" ? model : `${model}@${revision}`);
  const settings = settingsOf(config);
  const tasks = tasksOf(document);
  if (tasks.length === 0) sink.issue({ line: 1, code: "no-rows", message: "The document has no results of a task." });
  for (const [task, metrics] of tasks)
    for (const [metric, value] of Object.entries(metrics)) {
      const number = numberOf(value);
      if (number === null && value !== null) {
        sink.issue({
          line: 1,
          code: "unreadable-value",
          message: `"${metric.slice(0, 60)}" of ${task.slice(0, 60)} is no number; it was left out.`,
        });
        continue;
      }
      sink.record({ kind: "measure", subject, task, metric, value: number, unit: metric.startsWith("pass@") ? "share" : null, settings });
    }
}

function settingsOf(config: JsonObject | null): Record<string, string | number | boolean> {
  const settings: Record<string, string | number | boolean> = { harness: "bigcode-evaluation-harness" };
  for (const name of GENERATION) {
    const value = fieldOf(config, name);
    if (typeof value === "string") settings[`generation.${name}`] = value.slice(0, 512);
    else if (typeof value === "number" || typeof value === "boolean") settings[`generation.${name}`] = value;
  }
  const limit = fieldOf(config, "limit");
  settings["limit"] = typeof limit === "number" ? limit : "none";
  const prompt = textOf(fieldOf(config, "prompt"));
  if (prompt !== null) settings["promptTemplate"] = prompt.slice(0, 512);
  return settings;
}
