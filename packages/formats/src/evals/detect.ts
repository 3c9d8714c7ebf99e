import { type Recognition, recognise, refused } from "../recognise.ts";
import type { EvalFormat, EvalRefusal } from "./format.ts";
import { EVAL_FORMATS, EVAL_REFUSALS } from "./registry.ts";

const FORMATS: readonly EvalFormat[] = EVAL_FORMATS;
const REFUSALS: readonly EvalRefusal[] = EVAL_REFUSALS;

export type EvalDetection = Recognition<EvalFormat>;

/** Tells the format of an evaluation by its first 64 KiB (`HEAD_BYTES`) and by nothing else. Refuses with a reason, as `detectFormat` does for logs. */
export function detectEvalFormat(head: Uint8Array, formats: readonly EvalFormat[] = FORMATS): EvalDetection {
  const known = REFUSALS.find((refusal) => refusal.sniff(head));
  if (known !== undefined) return refused("unsupported", known.message);
  return recognise(head, formats, { what: "evaluation", readsZip: true });
}

/** The format of that id, as `--format` names it. */
export function evalFormatById(id: string): EvalFormat | undefined {
  return FORMATS.find((format) => format.id === id);
}
