import { parseNumber } from "../../text/number-token.ts";
import { fieldOf, objectOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** Inspect's grades: correct, incorrect, partly correct, no answer. */
const GRADES: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };
const WORDS: Readonly<Record<string, number>> = { yes: 1, true: 1, no: 0, false: 0 };

/** A score's value as a number, as Inspect's own metrics take it; null when it is not scored (NaN) or no number. */
export function scoreNumber(value: JsonValue | undefined): number | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "number") return Number.isNaN(value) ? null : value;
  if (typeof value !== "string") return null;
  const text = value.trim();
  const number = GRADES[text] ?? WORDS[text.toLowerCase()] ?? parseNumber(text) ?? null;
  return number === null || Number.isNaN(number) ? null : number;
}

/** The value that a sample has of a score; undefined when it has none. A scorer that gives several holds them by key. */
export function sampleValue(sample: JsonObject, score: { readonly name: string; readonly scorer: string }): JsonValue | undefined {
  const scores = objectOf(fieldOf(sample, "scores"));
  const own = fieldOf(objectOf(fieldOf(scores, score.name)), "value");
  if (own !== undefined && objectOf(own) === null) return own;
  const byKey = objectOf(fieldOf(objectOf(fieldOf(scores, score.scorer)), "value"));
  if (byKey !== null) return fieldOf(byKey, score.name);
  // Version 1 held one score.
  return fieldOf(objectOf(fieldOf(sample, "score")), "value");
}
