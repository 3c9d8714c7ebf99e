import { stepOfText } from "@trainwatch/core";
import type { EvalOptions, EvalSink, EvalSubjectInput } from "./format.ts";
import { NO_MODEL, subjectOfOptions } from "./subject-of-options.ts";

const LONGEST_MODEL = 512;

/** What a source calls a model, with the training step that the name or the path says. */
export function subjectOf(model: string, told: { readonly step?: number | null; readonly path?: string | null } = {}): EvalSubjectInput {
  const path = told.path ?? null;
  const step = told.step ?? stepOfText(model) ?? (path === null ? null : stepOfText(path));
  return { model: model.trim().slice(0, LONGEST_MODEL), step, path: path === null ? null : path.slice(0, 4096) };
}

/** Words of file names that name the benchmark, the judge or the kind of file, and no model. */
const NO_MODEL_WORD =
  /^(?:xstest|orbench|or|bench|v\d+|completions?|\w*eval|evaluation|results?|scores?|samples?|output|outputs|annotations?|labels?|leaderboard|data|overall|bfcl|log|logs|json|jsonl|csv|eval)$/i;

/** The model that a file's name says: "xstest_v2_completions_gpt4_gpteval.csv" is of "gpt4". Null when no word of it can be one. */
export function modelOfPath(path: string): string | null {
  const name = path.replace(/^.*[/\\]/, "").replace(/(?:\.(?:json|jsonl|csv|eval|txt|gz))+$/i, "");
  const words = name.split("_").filter((word) => word !== "" && !NO_MODEL_WORD.test(word));
  return words.length === 0 ? null : words.join("_");
}

/** The model of a file that names none: what the user says, else a word of the file's name, else its folder; without any nothing can be attached, and that is said. */
export function namelessModel(options: EvalOptions, sink: EvalSink): string | null {
  const model =
    options.model?.trim() || (options.path === undefined ? null : modelOfPath(options.path)) || subjectOfOptions(options)?.model;
  if (model !== undefined) return model;
  sink.issue({ line: 1, code: "no-model", message: NO_MODEL });
  return null;
}
