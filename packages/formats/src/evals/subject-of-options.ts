import { stepOfText } from "@trainwatch/core";
import type { EvalOptions, EvalSubjectInput } from "./format.ts";

const WORDS = "results?|evals?|evaluations?|metrics|scores?|summary|output|bslmeval|data|samples|harness|agg|checkpoints";
/** Names that say what a file is and not of which model. */
const GENERIC = new RegExp(`^(?:${WORDS})$`, "i");
/** The same at the end of a name: "bloom_checkpoints_agg" is of "bloom". */
const GENERIC_END = new RegExp(`(?:[-_](?:${WORDS}))+$`, "i");
/** A time stamp as harnesses put it into names: 2031-01-02T03-04-05.678901. */
const STAMP = /[-_]?\d{4}-\d{2}-\d{2}T\d{2}[-:]\d{2}[-:]\d{2}(?:\.\d+)?$/;

/**
 * The subject of a file that names no model: the model that the user says, else a word from the file's name ("bloom.json" is "bloom";
 * of "bloom/results.json" the folder), the step that the path says. Null where neither is told.
 */
export function subjectOfOptions({ model, path }: EvalOptions): EvalSubjectInput | null {
  const said = model?.trim() ?? "";
  const name = said === "" ? modelOfPath(path ?? "") : said;
  if (name === "") return null;
  return { model: name.slice(0, 512), step: stepOfText(said) ?? stepOfText(path ?? ""), path: null };
}

export const NO_MODEL = "The file names no model, and neither its name nor the caller does; nothing of it was taken.";

function modelOfPath(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== "." && part !== "..");
  const file = (parts.at(-1) ?? "")
    .replace(/\.(?:jsonl?|csv|tsv|eval)$/i, "")
    .replace(STAMP, "")
    .replace(GENERIC_END, "");
  const name = file === "" || GENERIC.test(file) || file.startsWith("samples_") ? (parts.at(-2) ?? "") : file;
  // The harness writes "org__name" for "org/name", which no folder can hold.
  return name.replace("__", "/").trim();
}
