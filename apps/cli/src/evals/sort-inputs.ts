import { stat } from "node:fs/promises";
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

/** What is no evaluation, or cannot be opened, and why. Whoever reads logs as well says what it is. */
export interface OtherInput extends ListedInput {
  readonly noEval: InputFault;
}

export interface SortedInputs {
  readonly evals: readonly EvalInput[];
  readonly others: readonly OtherInput[];
  /** Files that are known and hold no results, with the reason. */
  readonly refused: readonly { readonly path: string; readonly walked: boolean; readonly fault: InputFault }[];
}

/**
 * Tells evaluations from the rest by their first 64 KiB. Standard input and pipes are never one: they can be read once only, and a file of results is read twice.
 * @param format what the user says all inputs are; null to find out
 */
export async function sortInputs(listed: readonly ListedInput[], stdin: Readable, format: EvalFormat | null): Promise<SortedInputs> {
  const evals: EvalInput[] = [];
  const others: OtherInput[] = [];
  const refused: { path: string; walked: boolean; fault: InputFault }[] = [];
  for (const input of listed) {
    const { path, walked } = input;
    if (path === "-" || input.fault !== null) {
      others.push({ ...input, noEval: input.fault ?? readOnce(path) });
      continue;
    }
    if (!walked && !(await isRegular(path))) {
      others.push({ ...input, noEval: readOnce(path) });
      continue;
    }
    if (format !== null) {
      evals.push({ path, format });
      continue;
    }
    const opening = await openInput(path, stdin);
    if (!opening.ok) {
      others.push({ ...input, noEval: opening.fault });
      continue;
    }
    const found = detectEvalFormat(opening.input.head);
    await opening.input.close();
    if (found.kind === "format") {
      evals.push({ path, format: found.format });
      continue;
    }
    const { code, message } = found.refusal;
    const fault = { code, message: `${path}: ${message}` };
    if (code === "unsupported") refused.push({ path, walked, fault });
    else others.push({ ...input, noEval: fault });
  }
  return { evals, others, refused };
}

/** Of a pipe what is looked at is gone: it is left to whoever reads logs, from its first byte. */
async function isRegular(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
}

const readOnce = (path: string): InputFault => ({
  code: "unsupported",
  message: `${path}: results of an evaluation are read twice and cannot come by a pipe or standard input; write them to a file and name that.`,
});
