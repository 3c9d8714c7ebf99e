import type { EvalPushAnswer, EvalSubject } from "@trainwatch/core";
import type pg from "pg";
import { askOn } from "./ask.ts";
import type { EvalPart } from "./contract.ts";
import { holdFile, holdRun, repeatedPart, storePart } from "./file-rows.ts";
import { storePairs } from "./pair-blocks.ts";
import { storeMeasures } from "./result-rows.ts";
import { storeSamples } from "./sample-blocks.ts";
import { holdScorecards, scorecardKey } from "./scorecard-rows.ts";
import { readScorecards } from "./read-scorecards.ts";
import { createTally, type Tally } from "./tally.ts";

/** See {@link Evaluations.push}; within a transaction. Locks in this order: run, file, scorecards. */
export async function pushPart(client: pg.ClientBase, push: EvalPart, bodyHash: string, nowMs: number): Promise<EvalPushAnswer> {
  const runId = push.run === null ? null : await holdRun(client, push.run, nowMs);
  const file = await holdFile(client, push, runId, nowMs);
  const before = await repeatedPart(client, file, push, bodyHash);
  if (before !== null) return before;
  const cards = await holdScorecards(client, push.records.flatMap(subjectsOf), runId, nowMs);
  const idOf = (subject: EvalSubject): number => cards.get(scorecardKey(subject, runId)) ?? 0;
  const tally = createTally();
  const measures = push.records.flatMap((record, index) =>
    record.kind === "measure" ? [{ index, record, scorecardId: idOf(record.subject) }] : [],
  );
  const samples = push.records.flatMap((record, index) =>
    record.kind === "sample" ? [{ index, record, scorecardId: idOf(record.subject) }] : [],
  );
  const pairs = push.records.flatMap((record, index) =>
    record.kind === "pair" ? [{ index, record, leftId: idOf(record.left), rightId: idOf(record.right) }] : [],
  );
  await storeMeasures(client, file.id, measures, tally, nowMs);
  await storeSamples(client, { fileId: file.id, part: push.part }, samples, tally);
  await storePairs(client, { fileId: file.id, part: push.part }, pairs, tally);
  countCheckpoints(push, tally);
  for (const [index, record] of push.records.entries()) if (record.kind === "bad") tally.refuse(index, "bad-value", record.message);
  const told = await readScorecards(askOn(client), [...cards.values()]);
  const answer: EvalPushAnswer = {
    ...tally.counts(),
    scorecards: told.map(({ scorecardId, model, step, checkpointId }) => ({ scorecardId, model, step, checkpointId })),
  };
  await storePart(client, file, push, { bodyHash, answer, nowMs });
  return answer;
}

/** Who has results; what is only listed as a checkpoint has none. */
function subjectsOf(record: EvalPart["records"][number]): readonly EvalSubject[] {
  if (record.kind === "pair") return [record.left, record.right];
  return record.kind === "measure" || record.kind === "sample" ? [record.subject] : [];
}

/** Checkpoints are the run's and are stored by `ingest.push`'s own way before; here is told which of them could be. */
function countCheckpoints({ run, records }: EvalPart, tally: Tally): void {
  for (const [index, record] of records.entries()) {
    if (record.kind !== "checkpoint") continue;
    if (run === null)
      tally.refuse(
        index,
        "bad-value",
        `Checkpoint ${record.subject.model} belongs to a run, and none is named: import the file with --run.`,
      );
    else if (record.subject.step === null) tally.refuse(index, "bad-value", `Checkpoint ${record.subject.model} has no step.`);
    else tally.accept();
  }
}
