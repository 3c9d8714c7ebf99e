import { createHash } from "node:crypto";
import { MOST_EVAL_RECORDS, type EvalRecordInput } from "@trainwatch/core";
import { rlPushes, simulateEvaluation, type DemoRelease, type SimulatedSubject } from "@trainwatch/simulate";
import type { Client } from "../connection/connect.ts";
import type { Feed } from "./feed.ts";

export interface ReleaseFeed extends Pick<Feed, "push" | "stop"> {
  /** May ingest. */
  readonly trainer: Client;
  /** May operate. */
  readonly admin: Client;
}

/** Pushes a post-training run that has ended, the results of its evaluation, and opens the comparison that its team would have opened. */
export async function feedRelease(release: DemoRelease, { push, stop, trainer, admin }: ReleaseFeed): Promise<void> {
  const { run } = release;
  for (const body of rlPushes(run)) {
    if (stop.aborted) return;
    await push(body);
  }
  const ids: number[] = [];
  for (const subject of [release.baseline, ...release.candidates]) {
    if (stop.aborted) return;
    const id = await sendEvaluation(release, subject, trainer);
    if (id !== null) ids.push(id);
  }
  const [baselineId, ...candidateIds] = ids;
  if (baselineId === undefined || candidateIds.length === 0 || stop.aborted) return;
  const { releaseId } = await admin.releases.create.mutate({ name: release.name, baselineId, candidateIds, signers: [...release.signers] });
  await admin.releases.fixGates.mutate({ releaseId, gates: [...release.gates] });
}

/** In parts, as `trainwatch import` sends a file. Answers the scorecard that the results went into. */
async function sendEvaluation(release: DemoRelease, subject: SimulatedSubject, trainer: Client): Promise<number | null> {
  const records = [...simulateEvaluation(release.seed, subject, release.tasks)];
  const file = {
    name: `${subject.model.replaceAll("/", "-")}.jsonl`,
    sha256: createHash("sha256").update(JSON.stringify(records)).digest("hex"),
    format: "simulated",
  };
  const run = subject.step === null ? null : { project: release.run.project, name: release.run.name };
  let scorecardId: number | null = null;
  for (let part = 0; part * MOST_EVAL_RECORDS < records.length; part++) {
    const piece: EvalRecordInput[] = records.slice(part * MOST_EVAL_RECORDS, (part + 1) * MOST_EVAL_RECORDS);
    const answer = await trainer.ingest.evals.mutate({
      file,
      run,
      part,
      last: (part + 1) * MOST_EVAL_RECORDS >= records.length,
      records: piece,
    });
    scorecardId = answer.scorecards[0]?.scorecardId ?? scorecardId;
  }
  return scorecardId;
}
