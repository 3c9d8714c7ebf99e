import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import { bodyText, keyOrNull } from "../record-sink.ts";
import type { EvalFormat, EvalSink } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, listOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { placedSink } from "../placed-sink.ts";
import { subjectOf } from "../subject.ts";
import { characters, promptKeys } from "./pair.ts";

const FIELDS = ["instruction", "output_1", "output_2", "preference"] as const;

/** annotations.json of AlpacaEval: two answers to one instruction, and which one a judge prefers. */
export const alpacaAnnotations = {
  id: "alpaca-annotations",
  title: "AlpacaEval annotations",
  source: "annotations.json of AlpacaEval: pairs of answers with an automatic annotator's preference.",
  sniff(head) {
    const [document] = headValues(decodeUtf8(head), 1);
    const first = objectOf(listOf(document)?.[0]);
    return first !== null && Object.hasOwn(first, "instruction") && Object.hasOwn(first, "output_1") && Object.hasOwn(first, "generator_1")
      ? 0.95
      : 0;
  },
  parser: (sink) =>
    documentEval(sink, (document) => {
      const rows = listOf(document);
      if (rows === null) return sink.issue({ line: 1, code: "no-rows", message: "The document is no list of annotations." });
      const checked = placedSink(sink);
      const keyOf = promptKeys();
      for (const [at, row] of rows.entries()) readPair(objectOf(row), { at, keyOf }, checked);
    }),
} satisfies EvalFormat;

function readPair(
  row: JsonObject | null,
  { at, keyOf }: { readonly at: number; readonly keyOf: (prompt: string) => string },
  sink: EvalSink,
): void {
  const text = (name: string): string | null => textOf(fieldOf(row, name));
  const [left, right, instruction] = [text("generator_1"), text("generator_2"), text("instruction")];
  if (row === null || !left?.trim() || !right?.trim() || instruction === null || !FIELDS.every((name) => Object.hasOwn(row, name)))
    return sink.issue({
      line: 1,
      code: "bad-row",
      message: `Annotation ${at + 1} of the list lacks a model, the instruction or the preference; it was left out.`,
    });
  const read = shareOfSecond(fieldOf(row, "preference"));
  if ("fault" in read)
    sink.issue({ line: 1, code: "not-judged", message: `Annotation ${at + 1} of the list ${read.fault}; it counts as not judged.` });
  const [leftAnswer, rightAnswer] = [text("output_1"), text("output_2")];
  sink.record({
    kind: "pair",
    task: "alpaca_eval",
    key: keyOf(instruction),
    left: subjectOf(left),
    right: subjectOf(right),
    preference: "fault" in read ? null : read.share,
    leftLength: leftAnswer === null ? null : characters(leftAnswer),
    rightLength: rightAnswer === null ? null : characters(rightAnswer),
    judge: keyOrNull(text("annotator")),
    category: keyOrNull(text("dataset")),
    prompt: bodyText(instruction),
    leftAnswer: leftAnswer === null ? null : bodyText(leftAnswer),
    rightAnswer: rightAnswer === null ? null : bodyText(rightAnswer),
  });
}

/**
 * The second answer's share. AlpacaEval writes 1 where the first is preferred, 2 where the second is, and what lies between from a judge
 * that gives probabilities; 0 and 1.5 are ties (`alpaca_eval/metrics/winrate.py`).
 */
function shareOfSecond(preference: JsonValue | undefined): { readonly share: number } | { readonly fault: string } {
  if (preference === null || preference === undefined) return { fault: "has no preference" };
  if (typeof preference !== "number") return { fault: "has a preference that is no number" };
  if (preference === 0) return { share: 0.5 };
  return preference >= 1 && preference <= 2
    ? { share: preference - 1 }
    : { fault: `has the preference ${preference}, which is none of 0 and 1 to 2` };
}
