import type { Readable } from "node:stream";
import { detectEvalFormat, type EvalFormat } from "@trainwatch/formats";
import type { InputFault } from "../inputs/input-fault.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import { openInput } from "../inputs/open-log.ts";

/** A file of evaluation results, told by its content. */
export interface EvalInput {
  readonly path: string;
  readonly format: EvalFormat;
}

export interface SortedInputs {
  readonly evals: readonly EvalInput[];
  /** What is no evaluation, or cannot be opened: whoever reads logs says what it is. */
  readonly others: readonly ListedInput[];
  /** Files that are known and hold no results, with the reason. */
  readonly refused: readonly { readonly path: string; readonly walked: boolean; readonly fault: InputFault }[];
}

/**
 * Tells evaluations from the rest by their first 64 KiB. Standard input is never one: it can be read once only, and a file of results is read twice.
 * @param format what the user says all inputs are; null to find out
 */
export async function sortInputs(listed: readonly ListedInput[], stdin: Readable, format: EvalFormat | null): Promise<SortedInputs> {
  const evals: EvalInput[] = [];
  const others: ListedInput[] = [];
  const refused: { path: string; walked: boolean; fault: InputFault }[] = [];
  for (const input of listed) {
    const { path, walked } = input;
    if (path === "-" || input.fault !== null) {
      others.push(input);
      continue;
    }
    if (format !== null) {
      evals.push({ path, format });
      continue;
    }
    const opening = await openInput(path, stdin);
    if (!opening.ok) {
      others.push(input);
      continue;
    }
    const found = detectEvalFormat(opening.input.head);
    await opening.input.close();
    if (found.kind === "format") evals.push({ path, format: found.format });
    else if (found.refusal.code === "unsupported")
      refused.push({ path, walked, fault: { code: "unsupported", message: `${path}: ${found.refusal.message}` } });
    else others.push(input);
  }
  return { evals, others, refused };
}
