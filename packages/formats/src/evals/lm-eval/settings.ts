import { type EvalSettings, textHash } from "@trainwatch/core";
import { canonicalJson, fieldOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { settingValue } from "../record-sink.ts";
import { modelArguments } from "./model-args.ts";

type Settings = Record<string, string | number | boolean>;

export const HARNESS = "lm-evaluation-harness";
/** Sampling parameters of one task; more is no configuration. They are then told by their hash alone. */
const MOST_GENERATION = 40;

/** The settings that a results file tells of one task. What it does not tell is absent; null in the file is the told value "none". */
export function settingsOfTask(document: JsonObject, task: string): EvalSettings {
  const config = objectOf(fieldOf(document, "config"));
  const own = objectOf(fieldOf(objectOf(fieldOf(document, "configs")), task));
  const settings: Settings = { harness: HARNESS };
  const tell = (name: string, value: string | number | boolean | null): void => {
    if (value !== null) settings[name] = value;
  };
  tell("harnessVersion", harnessVersion(document));
  tell("taskVersion", taskVersion(fieldOf(objectOf(fieldOf(document, "versions")), task)));
  tell("taskHash", textOf(fieldOf(objectOf(fieldOf(document, "task_hashes")), task)) || null);
  tell("nShot", nShot(document, own, config, task));
  tell("chatTemplate", chatTemplate(document));
  tell("systemPrompt", noneOrText(fieldOf(document, "system_instruction_sha")));
  tell("promptTemplate", promptTemplate(own));
  tell("fewshotAsMultiturn", booleanOf(fieldOf(document, "fewshot_as_multiturn")));
  tell("limit", limit(fieldOf(config, "limit")));
  tell("epochs", numberOf(fieldOf(own, "repeats")));
  for (const [name, value] of generation(own, config)) tell(`generation.${name}`, value);
  return settings;
}

/** Versions before 0.4 did not write theirs; they are known by keys without a filter. */
function harnessVersion(document: JsonObject): string | null {
  const version = textOf(fieldOf(document, "lm_eval_version"));
  if (version !== null) return version;
  const commit = textOf(fieldOf(document, "git_hash"));
  return commit === null ? null : `git ${commit}`;
}

/** `3.0`, `3` and `"3"` are one version; a group's "N/A" is none. */
export function taskVersion(value: JsonValue | undefined): string | number | null {
  if (typeof value === "number") return value;
  const text = textOf(value)?.trim() ?? "";
  if (text === "" || text === "N/A") return null;
  return Number.isFinite(Number(text)) ? Number(text) : text.slice(0, 512);
}

function nShot(document: JsonObject, own: JsonObject | null, config: JsonObject | null, task: string): number | null {
  const told = [fieldOf(objectOf(fieldOf(document, "n-shot")), task), fieldOf(own, "num_fewshot"), fieldOf(config, "num_fewshot")];
  return told.map(numberOf).find((shots) => shots !== null) ?? null;
}

/** Some versions wrote the template without its hash: of these only the absence can be told. */
function chatTemplate(document: JsonObject): string | null {
  if (Object.hasOwn(document, "chat_template_sha")) return noneOrText(document["chat_template_sha"]);
  return fieldOf(document, "chat_template") === null ? "none" : null;
}

function noneOrText(value: JsonValue | undefined): string | null {
  return value === null ? "none" : textOf(value);
}

function booleanOf(value: JsonValue | undefined): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function limit(value: JsonValue | undefined): string | number | null {
  return value === null ? "none" : numberOf(value);
}

/**
 * Hash of what makes the prompt: description and template. A function that is told only by its place in memory
 * ("<function doc_to_text at 0x…>") says nothing, so no template is told then.
 */
function promptTemplate(own: JsonObject | null): string | null {
  const template = textOf(fieldOf(own, "doc_to_text"));
  if (template === null || template.startsWith("<")) return null;
  return textHash(canonicalJson([textOf(fieldOf(own, "description")) ?? "", template]));
}

/** The task's own sampling parameters, overridden by those of the command; of tasks that only rank choices there are none. */
function* generation(own: JsonObject | null, config: JsonObject | null): Iterable<[string, string | number | boolean | null]> {
  const outputType = textOf(fieldOf(own, "output_type"));
  if (outputType !== null && outputType !== "generate_until") return;
  const told = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(objectOf(fieldOf(own, "generation_kwargs")) ?? {})) told.set(name, value ?? null);
  for (const [name, value] of commandParameters(fieldOf(config, "gen_kwargs"))) told.set(name, value);
  if (told.size > MOST_GENERATION) return yield ["all", textHash(canonicalJson(Object.fromEntries(told)))];
  for (const [name, value] of told) if (name.length <= 64) yield [name, value === null ? "none" : settingValue(value)];
}

/** `--gen_kwargs`: null, an object, or "temperature=0,top_p=0.9". */
function* commandParameters(value: JsonValue | undefined): Iterable<[string, JsonValue]> {
  const object = objectOf(value);
  if (object !== null) for (const [name, item] of Object.entries(object)) yield [name, item ?? null];
  else for (const [name, text] of modelArguments(value)) yield [name, scalarOf(text)];
}

function scalarOf(text: string): string | number | boolean | null {
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  if (word === "none" || word === "null") return null;
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
