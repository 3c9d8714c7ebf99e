import { stepOfText } from "@trainwatch/core";
import type { EvalOptions, EvalSubjectInput } from "../format.ts";
import { fieldOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject } from "../json/json-value.ts";
import { subjectOfOptions } from "../subject-of-options.ts";
import { modelArguments } from "./model-args.ts";

/** Names of the model's place among the arguments, by model class: hf, vllm, gguf, APIs. An adapter is what was trained, so it comes first. */
const PLACES = ["peft", "delta", "pretrained", "model", "engine", "path", "filename"] as const;
/** A revision that says the step and nothing else: the model's name is then the same for all of them. */
const ONLY_STEP = /^(?:global[-_]?)?(?:step|checkpoint|ckpt|iter)[-_=]?\d+$/i;

/**
 * Which checkpoint a results file speaks of: the model from the arguments (else `model_name`, else the caller), the step from the
 * revision, else from the model's own path, else from the folder of the file. Null when nothing names a model.
 */
export function subjectOfResults(document: JsonObject, options: EvalOptions): EvalSubjectInput | null {
  const config = objectOf(fieldOf(document, "config"));
  const args = modelArguments(fieldOf(config, "model_args"));
  const place = PLACES.map((name) => args.get(name) ?? "").find((text) => text !== "") ?? textOf(fieldOf(document, "model_name")) ?? "";
  if (place.trim() === "") return subjectOfOptions(options);
  const revision = (args.get("revision") ?? textOf(fieldOf(config, "model_revision")) ?? "").trim();
  return {
    model: `${place.trim()}${nameOfRevision(revision)}`,
    step: stepOfText(revision) ?? stepOfText(place) ?? stepOfText(options.path ?? ""),
    path: isPlace(place) ? place.slice(0, 4096) : null,
  };
}

function nameOfRevision(revision: string): string {
  return revision === "" || revision === "main" || revision === "None" || ONLY_STEP.test(revision) ? "" : `@${revision}`;
}

/** A folder and not a name of a hub: it is rooted, or holds a step. */
function isPlace(text: string): boolean {
  return /^(?:[./~\\]|[a-z]:[/\\]|[a-z0-9]+:\/\/)/i.test(text) || stepOfText(text) !== null;
}
