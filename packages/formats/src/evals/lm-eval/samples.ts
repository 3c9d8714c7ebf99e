import { type JsonNumber, toJsonNumber } from "@trainwatch/core";
import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import type { EvalCompanion, EvalFormat, EvalOptions, EvalParser, EvalSampleInput, EvalSink, EvalSubjectInput } from "../format.ts";
import { fieldOf, listOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { lineEval } from "../json/lines.ts";
import { bodyText, keyText, recordSink } from "../record-sink.ts";
import { NO_MODEL, subjectOfOptions } from "../subject-of-options.ts";
import { BYPASS, filterName } from "./metric-key.ts";
import { categoryOf, clusterOf } from "./sample-cluster.ts";
import { lmEvalFileName } from "./sample-file.ts";
import { textsOf } from "./sample-texts.ts";
import { HARNESS } from "./settings.ts";

/**
 * Per-sample log of lm-evaluation-harness 0.4. The file names neither its model nor its task: the task is in its name, the model in the
 * results file that was written with it (`planEvalSet`). Memory: one line, and the key of each sample.
 */
export const lmEvalSamples = {
  id: "lm-eval-samples",
  title: "lm-evaluation-harness samples",
  source: "samples_TASK_*.jsonl of EleutherAI's lm-evaluation-harness, written with --log_samples.",
  sniff: (head) => confidence(headValues(decodeUtf8(head), 1)[0]),
  parser: samplesParser,
} satisfies EvalFormat;

/** The head may end inside the first line, and so before the responses: what stands there is then known from its beginning. */
function confidence(first: JsonValue | undefined): number {
  const row = objectOf(first);
  if (row === null || numberOf(fieldOf(row, "doc_id")) === null || !Object.hasOwn(row, "doc")) return 0;
  if (Object.hasOwn(row, "resps") || Object.hasOwn(row, "filtered_resps")) return 0.95;
  return Object.keys(row).every((key) => ["doc_id", "doc", "target", "arguments"].includes(key)) ? 0.8 : 0;
}

function samplesParser(sink: EvalSink, options: EvalOptions): EvalParser {
  const task = lmEvalFileName(options.path ?? "")?.task ?? null;
  const companion = task !== null && options.companion?.tasks.has(task) === true ? options.companion : undefined;
  const subject = companion?.subject ?? subjectOfOptions(options);
  const record = recordSink(sink);
  const keys = repeatCounter();
  let unscored = false;

  function lacks(line: number): boolean {
    if (subject !== null && task !== null) return false;
    if (!unscored)
      sink.issue(
        subject === null
          ? { line, code: "no-model", message: NO_MODEL }
          : {
              line,
              code: "no-task",
              message:
                "A sample file says its task in its name (samples_TASK_TIME.jsonl); this name says none, so nothing of it was taken.",
            },
      );
    unscored = true;
    return true;
  }

  return lineEval(sink, {
    row(row, line) {
      if (lacks(line) || subject === null || task === null) return;
      const filter = filterName(textOf(fieldOf(row, "filter")));
      const key = keyOf(row);
      if (key === null)
        return sink.issue({ line, code: "no-key", message: "The sample has neither doc_hash nor doc_id; it was left out." });
      record(sampleOf(row, { subject, task, filter, key: keys(key, filter), companion }), line);
    },
  });
}

interface SampleContext {
  readonly subject: EvalSubjectInput;
  readonly task: string;
  readonly filter: string | null;
  readonly key: string;
  readonly companion: EvalCompanion | undefined;
}

function sampleOf(row: JsonObject, { subject, task, filter, key, companion }: SampleContext): EvalSampleInput {
  const doc = objectOf(fieldOf(row, "doc"));
  const texts = textsOf(row);
  return {
    kind: "sample",
    subject,
    task,
    filter,
    key,
    epoch: 0,
    scores: scoresOf(row),
    cluster: clusterOf(doc),
    category: categoryOf(doc) ?? (texts.isInvalid ? "no answer found" : null),
    prompt: bodyText(texts.prompt),
    target: bodyText(texts.target),
    answer: bodyText(texts.answer),
    evaluatedAtMs: companion?.evaluatedAtMs ?? null,
    settings: companion === undefined ? { harness: HARNESS } : {},
  };
}

function keyOf(row: JsonObject): string | null {
  const hash = textOf(fieldOf(row, "doc_hash"));
  if (hash !== null && hash !== "") return keyText(hash);
  const id = fieldOf(row, "doc_id");
  return typeof id === "number" || (typeof id === "string" && id !== "") ? keyText(`doc ${id}`) : null;
}

/** Datasets hold some documents twice: the second of one hash is "HASH #2", in the order of the file, so that no sample is lost and pairs stay pairs. */
function repeatCounter(): (key: string, filter: string | null) => string {
  const seen = new Map<string, number>();
  return (key, filter) => {
    const id = `${key},${filter ?? ""}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? key : keyText(`${key} #${count}`);
  };
}

/** Fields of a line that are no score, in files that do not list their metrics. */
const NO_SCORES: ReadonlySet<string> = new Set([
  "doc_id",
  "doc",
  "target",
  "arguments",
  "resps",
  "filtered_resps",
  "filter",
  "metrics",
  "doc_hash",
  "prompt_hash",
  "target_hash",
]);

/**
 * Scores by metric. What a corpus metric keeps of a sample (F1's label lists, a perplexity's pair) is no score of that sample and is not
 * there; a metric without value is null.
 */
function scoresOf(row: JsonObject): Record<string, JsonNumber> {
  const listed = listOf(fieldOf(row, "metrics"))?.flatMap((name) => textOf(name) ?? []);
  const names = listed ?? Object.keys(row).filter((name) => !NO_SCORES.has(name));
  const scores: Record<string, JsonNumber> = {};
  for (const name of names) {
    const score = scoreOf(fieldOf(row, name));
    if (score !== undefined && name !== "" && name !== BYPASS && name.length <= 128) scores[name] = score;
  }
  return scores;
}

function scoreOf(value: JsonValue | undefined): JsonNumber | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" ? toJsonNumber(value) : undefined;
}
