import { createHash } from "node:crypto";
import type { EvalPushAnswer } from "@trainwatch/core";
import { canonicalJson, type EvalPart } from "@trainwatch/store";
import { announceEvaluations } from "../live/announce.ts";
import { ingestVerb } from "../procedures.ts";
import type { VerbContext } from "../recorded.ts";
import { evalsInput } from "./parse-evals.ts";
import { parsePush } from "./parse-push.ts";
import { pushSamples } from "./push.ts";

/** Checkpoints that one push of a run may hold. */
const CHECKPOINTS_A_PUSH = 1_000;

/**
 * Stores one part of a file of evaluation results, all of it or nothing; a record that does not fit is refused alone. What it answers is on disk. The same part of the same file for the same run is
 * answered the same; samples count once every part of their file is there. Checkpoints that the file lists go the way of every push of their run.
 * @throws AppError `conflict` where the part was stored with another content, `unavailable` where the database is away
 */
export const pushEvals = ingestVerb.input(evalsInput).mutation(async ({ ctx, input }): Promise<EvalPushAnswer> => {
  const { file, part, last, records } = input;
  const bodyHash = sha256([file.sha256, part, last, records]);
  if (input.run !== null) await pushRun(ctx, input, input.run);
  const answer = await ctx.store.evaluations.push(input, bodyHash, ctx.now());
  const runId = input.run === null ? null : await ctx.store.records.runs.idOf(input.run.project, input.run.name);
  // A part that was stored before may have been answered to nobody: whoever looks is told again.
  if (answer.accepted + answer.repeated > 0) announceEvaluations(ctx, runId);
  return answer;
});

/**
 * Makes the run known where there is none, and then its checkpoints. A run of which only evaluations are known counts as finished until it sends samples:
 * nobody is to be called because it is silent.
 */
async function pushRun(ctx: VerbContext, { file, part, records }: EvalPart, run: NonNullable<EvalPart["run"]>): Promise<void> {
  const source = `evals:${sha256([file.sha256, run, part])}`;
  if ((await ctx.store.records.runs.idOf(run.project, run.name)) === null)
    await pushSamples(ctx, parsePush({ source, seq: 0, run, ended: "finished" }));
  const checkpoints = records.flatMap((record) =>
    record.kind === "checkpoint" && record.subject.step !== null ? [{ step: record.subject.step, path: record.subject.path }] : [],
  );
  for (let from = 0; from < checkpoints.length; from += CHECKPOINTS_A_PUSH) {
    const seq = 1 + from / CHECKPOINTS_A_PUSH;
    await pushSamples(ctx, parsePush({ source, seq, run, checkpoints: checkpoints.slice(from, from + CHECKPOINTS_A_PUSH) }));
  }
}

function sha256(content: unknown): string {
  return createHash("sha256").update(canonicalJson(content)).digest("hex");
}
