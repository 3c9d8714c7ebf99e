import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { stepOfText, type EvalPushAnswer } from "@trainwatch/core";
import type { EvalOptions } from "@trainwatch/formats";
import { readEvalFile, type EvalOutcome } from "../evals/read-eval-file.ts";
import type { EvalInput } from "../evals/sort-inputs.ts";
import type { CommandIo } from "../frame/io.ts";
import type { IssueList } from "../inputs/issue-list.ts";
import { readBytes } from "../inputs/read-bytes.ts";
import type { RunName } from "../inputs/run-name.ts";
import { PartCutter } from "./part-cutter.ts";
import type { EvalClient } from "./push-client.ts";

/** What became of one file of evaluation results. */
export interface SentEvals {
  readonly path: string;
  readonly format: string;
  readonly measures: number;
  readonly samples: number;
  readonly pairs: number;
  readonly checkpoints: number;
  /** Places that were not read, or read with a doubt. */
  readonly issues: number;
  /** The first of them. */
  readonly issueList: IssueList["listed"];
  readonly accepted: number;
  readonly repeated: number;
  readonly refused: number;
  /** Sentences of what was refused, the first few. */
  readonly refusals: readonly string[];
  readonly scorecards: EvalPushAnswer["scorecards"];
}

const MOST_REFUSALS = 5;

/** Streams one file to the server, a part at a time. The server counts samples once the last part is there: what breaks off is completed by the same command. */
export async function sendEvals(
  input: EvalInput,
  run: RunName | null,
  options: EvalOptions,
  client: EvalClient,
  io: CommandIo,
  stdin: Readable,
): Promise<{ readonly sent: SentEvals; readonly fault: EvalOutcome["fault"] }> {
  const file = { name: basename(input.path), sha256: await sha256Of(input.path, stdin, options), format: input.format.id };
  const cutter = new PartCutter();
  const sum = { accepted: 0, repeated: 0, refused: 0 };
  const refusals: string[] = [];
  const scorecards = new Map<number, EvalPushAnswer["scorecards"][number]>();
  let part = 0;
  const send = async (records: ReturnType<PartCutter["rest"]>, last: boolean): Promise<void> => {
    const answer = await client.pushEvals({ file, run, part: part++, last, records: [...records] });
    sum.accepted += answer.accepted;
    sum.repeated += answer.repeated;
    sum.refused += answer.refused.length;
    refusals.push(...answer.refused.slice(0, MOST_REFUSALS - refusals.length).map(({ message }) => message));
    for (const scorecard of answer.scorecards) scorecards.set(scorecard.scorecardId, scorecard);
  };
  const outcome = await readEvalFile(
    input,
    options,
    io,
    stdin,
    (record) => cutter.take(record),
    async () => {
      for (const records of cutter.ready()) await send(records, false);
    },
  );
  const isWhole = outcome.fault === null;
  if (isWhole || part > 0 || cutter.rest().length > 0) await send(cutter.rest(), isWhole);
  const { path, format, measures, samples, pairs, checkpoints, issues, fault } = outcome;
  return {
    sent: {
      path,
      format,
      measures,
      samples,
      pairs,
      checkpoints,
      issues: issues.total,
      issueList: issues.listed,
      ...sum,
      refusals,
      scorecards: [...scorecards.values()],
    },
    fault,
  };
}

/** What is read otherwise is another file: the settings that a user gives count to its identity, and the step that only its path may tell. */
async function sha256Of(path: string, stdin: Readable, { model, columns, companion }: EvalOptions): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of readBytes(path, stdin).chunks()) hash.update(chunk);
  hash.update(JSON.stringify([model, columns, companion?.subject, stepOfText(path)]));
  return hash.digest("hex");
}
