import type { Readable } from "node:stream";
import { type AppError, isAppError, sayInteger } from "@trainwatch/core";
import type { PlannedEval } from "../evals/companions.ts";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import { listedIssues } from "../inputs/listed-issues.ts";
import type { RunName } from "../inputs/run-name.ts";
import type { EvalClient } from "./push-client.ts";
import { sendEvals, type SentEvals } from "./send-evals.ts";

export interface EvalsOutcome {
  readonly evals: readonly SentEvals[];
  readonly faults: readonly { readonly path: string; readonly fault: InputFault }[];
}

/** Sends files of evaluation results, one after another. @param run whose checkpoints they evaluate; null: models that stand for themselves */
export async function importEvals(
  inputs: readonly PlannedEval[],
  run: RunName | null,
  client: EvalClient,
  io: CommandIo,
  stdin: Readable,
): Promise<EvalsOutcome> {
  const evals: SentEvals[] = [];
  const faults: { path: string; fault: InputFault }[] = [];
  for (const { input, options } of inputs) {
    try {
      const { sent, fault } = await sendEvals(input, run, options, client, io, stdin);
      if (fault !== null) faults.push({ path: input.path, fault });
      if (fault === null || sent.accepted + sent.repeated > 0) evals.push(sent);
    } catch (error) {
      if (!isAppError(error)) throw error;
      const code = ownCode(error);
      if (code === null) throw error;
      faults.push({ path: input.path, fault: { code, message: `${input.path}: ${error.message}` } });
    }
  }
  return { evals, faults };
}

/** Refusals that are this file's own: the next one may be taken. Whatever else ends an import would end it for all. */
function ownCode({ code }: AppError): "conflict" | "too-large" | null {
  return code === "conflict" || code === "too-large" ? code : null;
}

/** One line a file, and what was refused of it. */
export function evalLines({ evals }: EvalsOutcome, url: string): string[] {
  return evals.flatMap((sent) => {
    const parts: readonly (readonly [number, string])[] = [
      [sent.measures, "results"],
      [sent.samples, "samples"],
      [sent.pairs, "judgements"],
      [sent.checkpoints, "checkpoints listed"],
      [sent.accepted, "accepted"],
      [sent.repeated, "repeated"],
      [sent.refused, "refused"],
      [sent.issues, "places not read"],
    ];
    const said = parts.filter(([count, word]) => count > 0 || word === "accepted").map(([count, word]) => `${sayInteger(count)} ${word}`);
    const [first] = sent.scorecards;
    const more = sent.scorecards.length > 1 ? ` and ${sayInteger(sent.scorecards.length - 1)} more` : "";
    const of = first === undefined ? "" : ` of ${first.model}${first.step === null ? "" : ` at step ${sayInteger(first.step)}`}${more}`;
    return [
      `${sent.path} (${sent.format})${of}: ${said.join(", ")} · ${url}/releases`,
      ...sent.refusals.map((message) => `  refused: ${message}`),
      ...listedIssues(sent.issueList, sent.issues, sent.issues > sent.issueList.length),
    ];
  });
}
