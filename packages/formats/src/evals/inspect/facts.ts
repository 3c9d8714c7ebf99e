import { textHash } from "@trainwatch/core";
import type { EvalOptions, EvalSubjectInput } from "../format.ts";
import { canonicalJson, fieldOf, listOf, numberOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { subjectOf } from "../subject.ts";

type Settings = Record<string, string | number | boolean>;

/** What the head of an Inspect log says: what was evaluated, how, when and how it ended. */
export interface LogFacts {
  readonly subject: EvalSubjectInput;
  readonly task: string;
  readonly settings: Readonly<Settings>;
  readonly evaluatedAtMs: number | null;
  /** "success", "started", "cancelled", "error"; null where it is not told. */
  readonly status: string | null;
}

/** Sampling parameters that decide what is answered; how many connections are held and how often is tried again do not. */
const GENERATION = [
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "stop_seqs",
  "best_of",
  "num_choices",
  "seed",
  "frequency_penalty",
  "presence_penalty",
  "reasoning_effort",
  "reasoning_tokens",
  "cache_prompt",
  "response_schema",
] as const;
const LONGEST = 512;
/** A revision that says the step and nothing else: the model's name is then the same for all of them. */
const ONLY_STEP = /^(?:global[-_]?)?(?:step|checkpoint|ckpt|iter)[-_=]?\d+$/i;

/** Null when the log does not say what was evaluated. A time without a zone, as early versions wrote it ("2024-05-14T13:07:17"), is read as UTC. */
export function logFacts(log: JsonObject, options: EvalOptions): LogFacts | null {
  const spec = objectOf(fieldOf(log, "eval"));
  const task = textOf(fieldOf(spec, "task"))?.trim();
  const model = textOf(fieldOf(spec, "model"))?.trim();
  if (!task || !model) return null;
  const stats = objectOf(fieldOf(log, "stats"));
  const time = textOf(fieldOf(stats, "completed_at")) || textOf(fieldOf(spec, "created")) || "";
  const ms = Date.parse(/T[\d:.]+$/.test(time) ? `${time}Z` : time);
  return {
    subject: subjectOfSpec(model, spec, options),
    task: task.slice(0, LONGEST),
    settings: settingsOf(spec, objectOf(fieldOf(log, "plan"))),
    evaluatedAtMs: Number.isFinite(ms) && ms >= 0 ? ms : null,
    status: textOf(fieldOf(log, "status")),
  };
}

/** The step is said by the metadata that the user gave, by the revision, by the checkpoint's path, or by the model's name. */
function subjectOfSpec(model: string, spec: JsonObject | null, options: EvalOptions): EvalSubjectInput {
  const args = objectOf(fieldOf(spec, "model_args"));
  const metadata = objectOf(fieldOf(spec, "metadata"));
  const revision = textOf(fieldOf(args, "revision"))?.trim() ?? "";
  const path =
    textOf(fieldOf(metadata, "checkpoint")) ??
    textOf(fieldOf(args, "model_path")) ??
    textOf(fieldOf(args, "checkpoint")) ??
    textOf(fieldOf(args, "tokenizer_path"));
  const step = numberOf(fieldOf(metadata, "step"));
  const told = step !== null && Number.isSafeInteger(step) && step >= 0 ? step : null;
  const name = revision === "" || revision === "main" || ONLY_STEP.test(revision) ? model : `${model}@${revision}`;
  const ofRevision = subjectOf(revision).step ?? null;
  return subjectOf(name, {
    step: told ?? ofRevision ?? (path === null ? (subjectOf("", { path: options.path ?? "" }).step ?? null) : null),
    path,
  });
}

function settingsOf(spec: JsonObject | null, plan: JsonObject | null): Settings {
  const settings: Settings = { harness: "inspect_ai" };
  const set = (name: string, value: string | number | boolean | null): void => {
    if (value !== null) settings[name] = value;
  };
  const config = objectOf(fieldOf(spec, "config"));
  set("harnessVersion", textOf(fieldOf(objectOf(fieldOf(spec, "packages")), "inspect_ai"))?.slice(0, LONGEST) ?? null);
  set("taskVersion", scalarOf(fieldOf(spec, "task_version")));
  set("epochs", numberOf(fieldOf(config, "epochs")));
  if (config !== null) set("limit", scalarOf(fieldOf(config, "limit")) ?? "none");
  for (const generate of [objectOf(fieldOf(spec, "model_generate_config")), objectOf(fieldOf(plan, "config"))]) {
    for (const name of GENERATION) set(`generation.${name}`, scalarOf(fieldOf(generate, name)));
    set("systemPrompt", shortText(textOf(fieldOf(generate, "system_message"))));
  }
  const args = objectOf(fieldOf(spec, "task_args"));
  if (args !== null && Object.keys(args).length > 0) set("generation.task_args", shortText(canonicalJson(args)));
  stepSettings(plan, set);
  set("judge", judgeOf(spec));
  return settings;
}

/** Solvers in their order, the system message and the template of the prompt. */
function stepSettings(plan: JsonObject | null, set: (name: string, value: string | null) => void): void {
  const steps = (listOf(fieldOf(plan, "steps")) ?? []).map(objectOf);
  if (plan === null) return;
  const solvers = steps.flatMap((step) => textOf(fieldOf(step, "solver")) ?? []);
  if (solvers.length > 0) set("generation.solvers", shortText(solvers.join(", ")));
  set("systemPrompt", "none");
  for (const step of steps) {
    const solver = textOf(fieldOf(step, "solver"))?.replace(/^.*\//, "");
    const template = textOf(fieldOf(objectOf(fieldOf(step, "params")), "template"));
    if (solver === "system_message") set("systemPrompt", shortText(template));
    else set("promptTemplate", shortText(template));
  }
}

/** A model that grades: of the grader's role, or as the scorer's option. */
function judgeOf(spec: JsonObject | null): string | null {
  const grader = fieldOf(objectOf(fieldOf(spec, "model_roles")), "grader");
  const told = textOf(grader) ?? textOf(fieldOf(objectOf(grader), "model"));
  if (told !== null) return told.slice(0, LONGEST);
  const scorers = (listOf(fieldOf(spec, "scorers")) ?? []).map(objectOf);
  const option = scorers.map((scorer) => textOf(fieldOf(objectOf(fieldOf(scorer, "options")), "model"))).find((model) => model !== null);
  // Without a grader the model grades itself.
  const isGraded = scorers.some((scorer) => /(?:^|\/)model_graded_/.test(textOf(fieldOf(scorer, "name")) ?? ""));
  return (option ?? (isGraded ? textOf(fieldOf(spec, "model")) : null))?.slice(0, LONGEST) ?? null;
}

function scalarOf(value: JsonValue | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return shortText(typeof value === "string" ? value : canonicalJson(value));
}

/** A setting is compared and shown: what is too long stands as its hash. */
function shortText(text: string | null): string | null {
  if (text === null) return null;
  const trimmed = text.trim();
  return trimmed.length <= LONGEST ? trimmed : `${trimmed.length} characters, hash ${textHash(trimmed)}`;
}
