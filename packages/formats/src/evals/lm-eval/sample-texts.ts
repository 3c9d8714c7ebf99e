import { canonicalJson, fieldOf, listOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

export interface SampleTexts {
  readonly prompt: string | null;
  readonly target: string | null;
  readonly answer: string | null;
  /** The filter found no answer in the response. */
  readonly isInvalid: boolean;
}

/** The harness's word for a response in which its filter found no answer. */
const INVALID = "[invalid]";

/** What a person reads of a sample: the prompt, what was wanted, and what the model said or chose. */
export function textsOf(row: JsonObject): SampleTexts {
  const requests = requestsOf(fieldOf(row, "arguments"));
  const filtered = listOf(fieldOf(row, "filtered_resps")) ?? [];
  const choices = requests.map(([, choice]) => textOf(choice));
  const isChoice =
    filtered.length > 0 && filtered.length === requests.length && filtered.every((response) => likelihoodOf(response) !== null);
  return {
    prompt: textOf(requests[0]?.[0]),
    target: targetText(fieldOf(row, "target"), isChoice && requests.length > 1 ? choices : []),
    answer: isChoice ? chosen(filtered, choices) : said(row, filtered),
    isInvalid: filtered.length > 0 && filtered.every((response) => response === INVALID),
  };
}

/** Requests as [context, continuation]: lists in older files, `{gen_args_0: {arg_0, arg_1}}` in newer ones. */
function requestsOf(value: JsonValue | undefined): readonly (readonly (JsonValue | undefined)[])[] {
  const list = listOf(value);
  if (list !== null) return list.map((request) => listOf(request) ?? []);
  return Object.values(objectOf(value) ?? {}).map((request) => {
    const args = objectOf(request ?? null);
    return [fieldOf(args, "arg_0"), fieldOf(args, "arg_1")];
  });
}

/** A log likelihood as written: [-1.5, false], or ["-1.5", "False"] in newer files; of a repeated request the first. */
function likelihoodOf(response: JsonValue): { readonly value: number; readonly isGreedy: boolean } | null {
  const list = listOf(response);
  const pair = listOf(list?.[0]) ?? list;
  if (pair === null || pair.length !== 2) return null;
  const [likelihood, greedy] = pair;
  const value = typeof likelihood === "string" && likelihood.trim() !== "" ? Number(likelihood) : likelihood;
  if (typeof value !== "number" || Number.isNaN(value)) return null;
  if (typeof greedy !== "boolean" && greedy !== "True" && greedy !== "False") return null;
  return { value, isGreedy: greedy === true || greedy === "True" };
}

/** Of several choices the likeliest; of one continuation that itself, where the model would have said it. */
function chosen(responses: readonly JsonValue[], choices: readonly (string | null)[]): string | null {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [index, response] of responses.entries()) {
    const likelihood = likelihoodOf(response);
    if (likelihood === null || (best >= 0 && likelihood.value <= highest)) continue;
    best = index;
    highest = likelihood.value;
  }
  if (responses.length === 1 && likelihoodOf(responses[0] ?? null)?.isGreedy !== true) return null;
  return choices[best]?.trim() ?? null;
}

/** The response itself, which tells more than what a filter left of it. */
function said(row: JsonObject, filtered: readonly JsonValue[]): string | null {
  return firstText(fieldOf(row, "resps")) ?? firstText(filtered);
}

function firstText(value: JsonValue | undefined): string | null {
  let inside = value;
  for (let level = 0; level < 4; level++) {
    const list = inside === undefined ? null : listOf(inside);
    if (list === null) break;
    inside = list[0];
  }
  return textOf(inside);
}

/** A target that is the number of a choice is told by the choice's own text. */
function targetText(target: JsonValue | undefined, choices: readonly (string | null)[]): string | null {
  if (target === undefined || target === null) return null;
  const index = typeof target === "number" || (typeof target === "string" && /^\d{1,3}$/.test(target)) ? Number(target) : -1;
  const isNamed = new Set(choices).size === choices.length && !choices.some((choice) => choice?.trim() === String(target));
  const choice = isNamed ? choices[index]?.trim() : undefined;
  return choice ?? (typeof target === "string" ? target : canonicalJson(target));
}
