import { toJsonNumber } from "@trainwatch/core";
import { excerpt } from "../../text/number-token.ts";
import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import type { EvalFormat, EvalOptions, EvalSink } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, listOf, objectOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { readMetricKey } from "../lm-eval/metric-key.ts";
import { HARNESS } from "../lm-eval/settings.ts";
import { recordSink } from "../record-sink.ts";
import { NO_MODEL, subjectOfOptions } from "../subject-of-options.ts";

/**
 * Results of one model over its checkpoints, as BigScience aggregated them: `checkpoints` holds the steps, `results` for each task and
 * metric one value a checkpoint. The tokens seen at each step are not kept: a run's log tells them. Memory: the document.
 */
export const bigscienceSeries = {
  id: "bigscience-series",
  title: "BigScience checkpoint series",
  source: "*_checkpoints_agg.json of BigScience's evaluation scripts: lm-evaluation-harness results of every checkpoint of a run.",
  sniff: (head) => confidence(headValues(decodeUtf8(head), 1)[0]),
  parser: (sink, options) => documentEval(sink, (document) => readSeries(document, options, sink)),
} satisfies EvalFormat;

function confidence(document: JsonValue | undefined): number {
  const root = objectOf(document);
  return listOf(fieldOf(root, "checkpoints")) !== null && listOf(fieldOf(root, "tokens")) !== null ? 0.95 : 0;
}

function readSeries(document: JsonValue, options: EvalOptions, sink: EvalSink): void {
  const root = objectOf(document);
  const results = objectOf(fieldOf(root, "results"));
  const steps = listOf(fieldOf(root, "checkpoints"));
  if (results === null || steps === null)
    return sink.issue({ line: 1, code: "no-results", message: "The document holds no list of checkpoints with results." });
  const subject = subjectOfOptions(options);
  if (subject === null) return sink.issue({ line: 1, code: "no-model", message: NO_MODEL });
  const record = recordSink(sink);
  for (const [task, value] of Object.entries(results))
    for (const column of columnsOf(task, objectOf(value), steps.length, sink))
      for (const [index, step] of steps.entries()) {
        record(
          {
            kind: "measure",
            subject: { ...subject, step: typeof step === "number" ? step : null },
            task,
            metric: column.metric,
            value: numberAt(column.values, index),
            stderr: numberAt(column.stderrs, index),
            settings: { harness: HARNESS, harnessVersion: "before 0.4" },
          },
          1,
        );
      }
}

interface Column {
  readonly metric: string;
  readonly values: readonly JsonValue[];
  readonly stderrs: readonly JsonValue[];
}

/** Metrics with their standard errors. A list of another length than the checkpoints belongs to none of them for certain, and is left out. */
function columnsOf(task: string, result: JsonObject | null, length: number, sink: EvalSink): readonly Column[] {
  const lists = new Map<string, readonly JsonValue[]>();
  for (const [key, value] of Object.entries(result ?? {})) {
    const list = listOf(value);
    if (list?.length === length) lists.set(key, list);
    else
      sink.issue({
        line: 1,
        code: "bad-series",
        message: `"${excerpt(key)}" of "${excerpt(task)}" is no list of ${length} values, one a checkpoint; it was left out.`,
      });
  }
  return [...lists].flatMap(([key, values]) => {
    const name = readMetricKey(key);
    if (name === null || name.isStderr) return [];
    return [{ metric: name.metric, values, stderrs: lists.get(`${key}_stderr`) ?? [] }];
  });
}

function numberAt(list: readonly JsonValue[], index: number): ReturnType<typeof toJsonNumber> {
  const value = list[index];
  return toJsonNumber(typeof value === "number" ? value : null);
}
