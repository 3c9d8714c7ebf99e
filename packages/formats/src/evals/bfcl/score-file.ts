import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import { excerpt } from "../../text/number-token.ts";
import type { EvalFormat, EvalOptions, EvalParser, EvalSink } from "../format.ts";
import { fieldOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import { type JsonObject, readJson } from "../json/json-value.ts";
import { lineEval } from "../json/lines.ts";
import { placedSink } from "../placed-sink.ts";
import { subjectOf } from "../subject.ts";
import { failedSample, type ScoreFile, SETTINGS } from "./failed-sample.ts";
import { placeOfPath } from "./place-of-path.ts";
import { passedSamples } from "./passed-samples.ts";

/** The first line holds three numbers, in characters. */
const LONGEST_SUMMARY = 1000;

interface Summary {
  readonly line: number;
  readonly accuracy: number | null;
  readonly correct: number;
  readonly total: number;
}

/**
 * Score file of one category and model of the Berkeley Function Calling Leaderboard: JSON lines in spite of the name `.json`. The first
 * line sums up; the others are failed samples only, and passed ones are told from the count where the ids are indices.
 */
export const bfclScore = {
  id: "bfcl-score",
  title: "BFCL score file",
  source: "`*_score.json` of one category and one model, as `bfcl evaluate` writes it.",
  sniff: (head) => (summaryOf(headObject(head), 1) === null ? 0 : 0.95),
  parser: (sink, options) => scoreParser(sink, options),
} satisfies EvalFormat;

function headObject(head: Uint8Array): JsonObject {
  const [first = ""] = decodeUtf8(head).split("\n", 1);
  const read = first.length > LONGEST_SUMMARY ? null : readJson(first);
  return (read !== null && "value" in read ? objectOf(read.value) : null) ?? {};
}

function summaryOf(row: JsonObject, line: number): Summary | null {
  const [correct, total] = [numberOf(fieldOf(row, "correct_count")), numberOf(fieldOf(row, "total_count"))];
  if (correct === null || total === null || !Object.hasOwn(row, "accuracy")) return null;
  if (!Number.isSafeInteger(correct) || !Number.isSafeInteger(total) || correct < 0 || total < correct) return null;
  return { line, accuracy: numberOf(fieldOf(row, "accuracy")), correct, total };
}

function scoreParser(outer: EvalSink, options: EvalOptions): EvalParser {
  const sink = placedSink(outer);
  const place = placeOfPath(options.path ?? "");
  const failed = new Map<string, number>();
  let summary: Summary | null = null;
  let file: ScoreFile | null = null;

  function fileOf(row: JsonObject): ScoreFile | null {
    const model = textOf(fieldOf(row, "model_name"))?.trim() || options.model?.trim() || place.model;
    const category = textOf(fieldOf(row, "test_category"))?.trim() || place.category;
    if (!model || !category) return null;
    const version = place.version === null ? {} : { taskVersion: place.version };
    return { subject: subjectOf(model), task: `bfcl_${category}`, category, settings: { ...SETTINGS, ...version } };
  }

  return lineEval(sink, {
    row(row, line) {
      sink.at(line);
      const found = summary === null ? summaryOf(row, line) : null;
      if (found !== null) {
        summary = found;
        return;
      }
      file ??= fileOf(row);
      if (file === null)
        return sink.issue({
          line,
          code: "no-model",
          message: "Neither the sample nor the file's path says model and category; it was left out.",
        });
      if (fieldOf(row, "valid") === true)
        return sink.issue({ line, code: "bad-row", message: "A sample among the failed ones is valid; it was left out." });
      const sample = failedSample(row, file);
      if (sample === null) return sink.issue({ line, code: "no-key", message: "A failed sample has no id; it was left out." });
      if (failed.has(sample.key))
        return sink.issue({
          line,
          code: "repeated-key",
          message: `The sample "${excerpt(sample.key)}" stands twice; the first was taken.`,
        });
      failed.set(sample.key, line);
      sink.record(sample);
    },
    end() {
      file ??= fileOf({});
      if (summary === null)
        return sink.issue({
          line: 1,
          code: "no-summary",
          message: "The file has no line with accuracy and counts; only its failed samples were read.",
        });
      if (file === null)
        return sink.issue({
          line: summary.line,
          code: "no-model",
          message: "The file does not say model and category, and neither does its path; name the model.",
        });
      finish(summary, file, [...failed.keys()], sink);
    },
  });
}

function finish(summary: Summary, file: ScoreFile, failed: readonly string[], sink: EvalSink): void {
  const { line, accuracy, correct, total } = summary;
  const share = total === 0 ? null : correct / total;
  if (accuracy !== null && share !== null && Math.abs(accuracy - share) > 5e-4)
    sink.issue({
      line,
      code: "sums-differ",
      message: `The accuracy ${accuracy} is not ${correct} of ${total}; the share of the counts was taken.`,
    });
  sink.record({
    kind: "measure",
    subject: file.subject,
    task: file.task,
    metric: "accuracy",
    value: share,
    n: total,
    unit: "share",
    dimension: "tool-calls",
    higherIsBetter: true,
    settings: file.settings,
  });
  const passed = passedSamples(file, failed, { correct, total });
  for (const sample of passed.samples) sink.record(sample);
  sink.issue({ line, ...passed.note });
}
