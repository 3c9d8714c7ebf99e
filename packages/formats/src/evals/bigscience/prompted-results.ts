import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import { excerpt } from "../../text/number-token.ts";
import type { EvalFormat, EvalOptions, EvalSink } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { taskVersion, HARNESS } from "../lm-eval/settings.ts";
import { taskRows } from "../lm-eval/task-rows.ts";
import { recordSink, settingValue } from "../record-sink.ts";
import { NO_MODEL, subjectOfOptions } from "../subject-of-options.ts";

/**
 * Results of BigScience's lm-evaluation-harness: for each task, or task and prompt ("axb+GPT-3 style"), the results by the time of the
 * evaluation. A prompt of a task is a row of its own, since tasks are compared by name. Times name no zone and are read as UTC. Memory: the document.
 */
export const bigsciencePrompted = {
  id: "bigscience-prompted",
  title: "BigScience results by prompt",
  source: "bslmeval.json of BigScience: results of its lm-evaluation-harness with promptsource prompts.",
  sniff: (head) => confidence(headValues(decodeUtf8(head), 1)[0]),
  parser: (sink, options) => documentEval(sink, (document) => readPrompted(document, options, sink)),
} satisfies EvalFormat;

const TIME = /^(\d{4})-(\d{2})-(\d{2})-(\d{2})-(\d{2})-(\d{2})$/;

function confidence(document: JsonValue | undefined): number {
  const tasks = Object.values(objectOf(fieldOf(objectOf(document), "results")) ?? {});
  const timed = tasks.some((task) =>
    Object.entries(objectOf(task) ?? {}).some(([key, value]) => TIME.test(key) && objectOf(value) !== null),
  );
  return timed ? 0.95 : 0;
}

function readPrompted(document: JsonValue, options: EvalOptions, sink: EvalSink): void {
  const root = objectOf(document);
  const results = objectOf(fieldOf(root, "results"));
  if (results === null) return sink.issue({ line: 1, code: "no-results", message: "The document holds no results." });
  const subject = subjectOfOptions(options);
  if (subject === null) return sink.issue({ line: 1, code: "no-model", message: NO_MODEL });
  const versions = objectOf(fieldOf(root, "versions"));
  const record = recordSink(sink);
  for (const [task, times] of Object.entries(results))
    for (const [time, value] of Object.entries(objectOf(times) ?? {})) {
      const result = objectOf(value);
      const evaluatedAtMs = timeOf(time);
      if (result === null || evaluatedAtMs === null) {
        sink.issue({
          line: 1,
          code: "bad-task",
          message: `"${excerpt(time)}" of "${excerpt(task)}" is no result of an evaluation; it was left out.`,
        });
        continue;
      }
      const settings = settingsOf(result, fieldOf(versions, task));
      const { rows, unread } = taskRows(result);
      for (const key of unread)
        sink.issue({
          line: 1,
          code: "unread-metric",
          message: `"${excerpt(key)}" of "${excerpt(task)}" is no metric that can be read; it was left out.`,
        });
      for (const { metric, filter, value: measured, stderr } of rows)
        record({ kind: "measure", subject, task, metric, filter, value: measured, stderr, settings, evaluatedAtMs }, 1);
    }
}

function settingsOf(result: JsonObject, version: JsonValue | undefined): Record<string, string | number | boolean> {
  const prompt = settingValue(textOf(fieldOf(result, "prompt_name")));
  const told = taskVersion(version);
  return {
    harness: HARNESS,
    harnessVersion: "before 0.4",
    ...(prompt === null ? {} : { promptTemplate: prompt }),
    ...(told === null ? {} : { taskVersion: told }),
  };
}

function timeOf(text: string): number | null {
  const [, ...parts] = TIME.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const time = parts.length === 0 ? Number.NaN : Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isFinite(time) && time >= 0 ? time : null;
}
