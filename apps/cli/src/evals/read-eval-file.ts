import type { Readable } from "node:stream";
import { AppError, type EvalRecord } from "@trainwatch/core";
import type { EvalOptions } from "@trainwatch/formats";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import { IssueList } from "../inputs/issue-list.ts";
import { readBytes } from "../inputs/read-bytes.ts";
import type { EvalInput } from "./sort-inputs.ts";
import { storableEval } from "./storable-eval.ts";

export interface EvalCounts {
  readonly measures: number;
  readonly samples: number;
  readonly pairs: number;
  readonly checkpoints: number;
}

export interface EvalOutcome extends EvalCounts {
  readonly path: string;
  readonly format: string;
  readonly issues: IssueList;
  /** Why it gave nothing, or not all. */
  readonly fault: InputFault | null;
}

const KINDS = { measure: "measures", sample: "samples", pair: "pairs", checkpoint: "checkpoints" } as const;

/** Streams one file through its parser; `take` is called for each record in order, `between` may wait after each chunk. */
export async function readEvalFile(
  { path, format }: EvalInput,
  options: EvalOptions,
  io: CommandIo,
  stdin: Readable,
  take: (record: EvalRecord) => void,
  between: () => Promise<void> | undefined = () => undefined,
): Promise<EvalOutcome> {
  const issues = new IssueList();
  const counts = { measures: 0, samples: 0, pairs: 0, checkpoints: 0 };
  const parser = format.parser(
    {
      record(given) {
        const stored = storableEval(given);
        if (!stored.ok) return issues.add({ line: null, code: "not-storable", message: `A ${given.kind} was left out: ${stored.why}.` });
        counts[KINDS[stored.record.kind]]++;
        take(stored.record);
      },
      issue: (issue) => issues.add(issue),
    },
    { ...options, path },
  );
  const source = readBytes(path, stdin);
  for await (const chunk of source.chunks()) {
    if (io.stop.aborted) throw new AppError("unavailable", `Stopped while reading ${path}.`);
    parser.push(chunk);
    await between();
  }
  parser.end();
  await between();
  const found = counts.measures + counts.samples + counts.pairs + counts.checkpoints;
  const [first] = issues.listed;
  const why = first === undefined ? "check that the evaluation got to its end" : first.message;
  const fault =
    source.fault() ??
    (found === 0 ? ({ code: "no-points", message: `${path}: it looks like ${format.title} but holds no result: ${why}` } as const) : null);
  return { path, format: format.id, ...counts, issues, fault };
}
