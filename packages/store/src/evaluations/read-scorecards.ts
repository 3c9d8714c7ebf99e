import { type CheckpointState, CHECKPOINT_STATES, effectiveLine } from "@trainwatch/core";
import { grouped } from "./grouped.ts";
import type { Ask } from "./ask.ts";
import type { StoredScorecard } from "./contract.ts";

interface CardRow {
  readonly id: number;
  readonly model: string;
  readonly step: number | null;
  readonly path: string | null;
  readonly attachedId: number | null;
  readonly attachedStep: number | null;
  readonly attachedState: string | null;
  readonly runId: number | null;
  readonly ownRunId: number | null;
  readonly project: string;
  readonly name: string;
}

interface CheckpointRow {
  readonly id: number;
  readonly runId: number;
  readonly attempt: string;
  readonly step: number;
  readonly state: string;
}

interface AttemptRow {
  readonly runId: number;
  readonly name: string;
  readonly parent: string | null;
  readonly branchStep: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
}

/** In the order of `ids`; those that are gone are left out. */
export async function readScorecards(ask: Ask, ids: readonly number[]): Promise<readonly StoredScorecard[]> {
  if (ids.length === 0) return [];
  const cards = await ask<CardRow>(
    `SELECT s.id, s.model, coalesce(s.step, c.step) AS step, coalesce(s.path, c.path) AS path, c.id AS "attachedId", c.step AS "attachedStep", c.state AS "attachedState",
       r.id AS "runId", s.run_id AS "ownRunId", r.project, r.name
     FROM scorecard s LEFT JOIN checkpoint c ON c.id = s.checkpoint_id LEFT JOIN run r ON r.id = coalesce(s.run_id, c.run_id) WHERE s.id = ANY($1::int[])`,
    [[...ids]],
  );
  const found = await modelCheckpoints(
    ask,
    cards.flatMap(({ runId, step, attachedId }) => (runId === null || step === null || attachedId !== null ? [] : [{ runId, step }])),
  );
  const byId = new Map(cards.map((card) => [card.id, card]));
  return ids.flatMap((id) => {
    const card = byId.get(id);
    if (card === undefined) return [];
    const { model, step, path, runId, ownRunId, project, name } = card;
    const held = found.get(`${runId}@${step}`);
    const checkpointId = card.attachedId ?? held?.id ?? null;
    const state = card.attachedState ?? held?.state ?? null;
    return [
      {
        scorecardId: id,
        model,
        run: runId === null ? null : { runId, project, name },
        ownRunId,
        step,
        path,
        checkpointId,
        checkpointState: state === null ? null : checkpointState(state),
      },
    ];
  });
}

function checkpointState(word: string): CheckpointState {
  return CHECKPOINT_STATES.find((known) => known === word) ?? "unchecked";
}

/** Of each run and step the model checkpoint that today's weights have come through, else that of the newest attempt; by `run@step`. Index: (run_id, attempt, step, kind). */
async function modelCheckpoints(
  ask: Ask,
  places: readonly { readonly runId: number; readonly step: number }[],
): Promise<ReadonlyMap<string, CheckpointRow>> {
  if (places.length === 0) return new Map();
  const checkpoints = await ask<CheckpointRow>(
    `SELECT c.id, c.run_id AS "runId", c.attempt, c.step, c.state FROM checkpoint c
     JOIN (SELECT DISTINCT * FROM unnest($1::int[], $2::float8[])) AS asked (run_id, step) ON c.run_id = asked.run_id AND c.step = asked.step
     LEFT JOIN attempt a ON a.run_id = c.run_id AND a.name = c.attempt WHERE c.kind = 'model' ORDER BY coalesce(a.ordinal, 0), c.id`,
    [places.map(({ runId }) => runId), places.map(({ step }) => step)],
  );
  const attempts = await ask<AttemptRow>(
    `SELECT run_id AS "runId", name, parent, branch_step AS "branchStep", first_step AS "firstStep", last_step AS "lastStep" FROM attempt
     WHERE run_id = ANY($1::int[]) ORDER BY ordinal`,
    [[...new Set(checkpoints.map(({ runId }) => runId))]],
  );
  const lines = new Map([...grouped(attempts, ({ runId }) => runId)].map(([runId, ofRun]) => [runId, effectiveLine(ofRun)]));
  const isInEffect = ({ runId, attempt, step }: CheckpointRow): boolean =>
    step <= (lines.get(runId)?.get(attempt) ?? Number.NEGATIVE_INFINITY);
  const found = new Map<string, CheckpointRow>();
  for (const checkpoint of checkpoints) {
    const key = `${checkpoint.runId}@${checkpoint.step}`;
    const held = found.get(key);
    // Oldest attempt first: a later one takes its place, unless only the earlier one is in effect.
    if (held === undefined || isInEffect(checkpoint) || !isInEffect(held)) found.set(key, checkpoint);
  }
  return found;
}
