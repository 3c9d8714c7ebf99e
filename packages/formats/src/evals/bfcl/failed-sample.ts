import type { EvalRecordInput } from "@trainwatch/core";
import type { EvalSubjectInput } from "../format.ts";
import { canonicalJson, fieldOf, listOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { bodyText, keyOrNull, keyText } from "../record-sink.ts";

export type EvalSampleInput = Extract<EvalRecordInput, { kind: "sample" }>;

/** What all samples of a score file share. */
export interface ScoreFile {
  readonly subject: EvalSubjectInput;
  readonly task: string;
  readonly category: string;
  readonly settings: Readonly<Record<string, string>>;
}

export const SETTINGS = { harness: "bfcl" } as const;

/** A failed sample; null without an id. */
export function failedSample(row: JsonObject, file: ScoreFile): EvalSampleInput | null {
  const key = keyOf(row, file.category);
  if (key === null) return null;
  return {
    kind: "sample",
    subject: file.subject,
    task: file.task,
    key,
    scores: { accuracy: 0 },
    category: keyOrNull(textOf(fieldOf(row, "error_type"))),
    prompt: questionOf(fieldOf(row, "prompt")),
    target: bodyOf(fieldOf(row, "possible_answer") ?? fieldOf(objectOf(fieldOf(row, "prompt")), "ground_truth")),
    answer: bodyOf(fieldOf(row, "model_result_raw") ?? fieldOf(row, "model_result") ?? fieldOf(row, "model_result_decoded")),
    settings: file.settings,
  };
}

/**
 * Ids are texts "simple_12" in newer versions; older ones number the samples from 1 and are given the newer id, which counts from 0: so
 * the same sample has the same key in all releases (their prompts carry both from August 2024 on).
 */
function keyOf(row: JsonObject, category: string): string | null {
  const id = fieldOf(row, "id");
  if (typeof id === "string" && id.trim() !== "") return keyText(id.trim());
  const newer = textOf(fieldOf(objectOf(fieldOf(row, "prompt")), "id"));
  if (newer !== null && newer !== "") return keyText(newer);
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 1 ? `${category}_${id - 1}` : null;
}

/** The user's words: a text in older files, turns of messages in newer ones. */
function questionOf(prompt: JsonValue | undefined): string | null {
  const question = fieldOf(objectOf(prompt), "question") ?? prompt;
  const turns = listOf(question);
  if (turns === null) return bodyOf(question);
  const messages = turns.flatMap((turn) => listOf(turn) ?? [turn]);
  const texts = messages.map((message) => {
    const object = objectOf(message);
    const content = bodyOf(fieldOf(object, "content") ?? message) ?? "";
    const role = textOf(fieldOf(object, "role"));
    return messages.length === 1 || role === null ? content : `${role}: ${content}`;
  });
  return bodyText(texts.join("\n\n"));
}

function bodyOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return bodyText(typeof value === "string" ? value : canonicalJson(value));
}
