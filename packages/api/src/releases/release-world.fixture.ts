import { AppError, type EvalPushInput, type EvalRecordInput } from "@trainwatch/core";
import { TRPCError } from "@trpc/server";
import type { VerbBench } from "../fixtures/verb-bench.ts";

/** Samples of one model on one task, solved where `isSolved` says so. */
export function solved(model: string, count: number, isSolved: (index: number) => boolean, given: object = {}): EvalRecordInput[] {
  const subject = { model };
  let hits = 0;
  const samples = Array.from({ length: count }, (_, index): EvalRecordInput => {
    const score = isSolved(index) ? 1 : 0;
    hits += score;
    return {
      kind: "sample",
      subject,
      task: "gsm8k",
      key: `q${index}`,
      scores: { exact_match: score },
      category: `topic ${index % 3}`,
      prompt: `question ${index}`,
      target: "42",
      answer: `${model} answers ${index}`,
      tokens: 10 + index,
    };
  });
  return [{ kind: "measure", subject, task: "gsm8k", metric: "exact_match", value: hits / count, n: count, ...given }, ...samples];
}

export async function importRecords(
  bench: VerbBench,
  letter: string,
  records: readonly EvalRecordInput[],
  given: Partial<EvalPushInput> = {},
) {
  const file = { name: `${letter}.json`, sha256: letter.repeat(64), format: "lm-eval" };
  return bench.as("ingest").ingest.evals({ file, run: null, part: 0, last: true, records: [...records], ...given });
}

/** Three models on the same 400 questions: the base solves 240; "better" 40 more; "worse" 60 fewer. Ids by model. */
export async function seedModels(bench: VerbBench): Promise<Readonly<Record<"base" | "better" | "worse", number>>> {
  const { scorecards } = await importRecords(bench, "a", [
    ...solved("base", 400, (index) => index < 240),
    ...solved("better", 400, (index) => index < 280),
    ...solved("worse", 400, (index) => index >= 60 && index < 240),
  ]);
  const idOf = (model: string): number => scorecards.find((card) => card.model === model)?.scorecardId ?? 0;
  return { base: idOf("base"), better: idOf("better"), worse: idOf("worse") };
}

/** The code and sentence of a refusal. */
export async function refusalOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCError) || !(error.cause instanceof AppError)) throw new Error(`no refusal: ${String(error)}`);
  return `${error.cause.code}: ${error.cause.message}`;
}
