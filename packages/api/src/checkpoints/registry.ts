import { CHECKPOINT_STATES, type CheckpointEntry, type CheckpointEntryPage, effectiveLine, textSchema } from "@trainwatch/core";
import type { StoredAttempt, StoredCheckpoint } from "@trainwatch/store";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { idInput, pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { reachesTo } from "./weights-path.ts";

const registryInput = z
  .object({
    runId: idInput.nullable().default(null),
    /** Part of the run's name or of the path, or a step. */
    query: textSchema.trim().max(256).default(""),
    /** None: in any state. */
    states: z.array(z.enum(CHECKPOINT_STATES)).max(CHECKPOINT_STATES.length).default([]),
    /** Whether they lie on the way that today's weights have taken; null: on it or not. */
    inEffect: z.boolean().nullable().default(null),
    ...pageInput,
  })
  .prefault({});

/** Checkpoints of all runs, newest first, each with what is known of it at a glance. */
export const checkpointRegistry = readVerb.input(registryInput).query(async ({ ctx, input }): Promise<CheckpointEntryPage> => {
  const { items, total, next } = await ctx.store.records.checkpoints.list(input);
  return { items: await entriesOf(ctx, items), total, next };
});

async function entriesOf(
  { store: { records, samples } }: ApiContext,
  stored: readonly StoredCheckpoint[],
): Promise<readonly CheckpointEntry[]> {
  const runIds = [...new Set(stored.map(({ run }) => run.runId))];
  const attempts = new Map(await Promise.all(runIds.map(async (runId) => [runId, await records.runs.attempts(runId)] as const)));
  const attemptsOf = (runId: number): readonly StoredAttempt[] => attempts.get(runId) ?? [];
  const incidents = await records.checkpoints.incidentCounts(
    stored.map(({ run, checkpoint }) => reachesTo(run.runId, attemptsOf(run.runId), checkpoint).toStep),
  );
  const tokens = await tokensOf(samples, stored);
  const cards = await records.scorecards.ofCheckpoints(stored.map(({ checkpointId }) => checkpointId));
  const cardIds = [...cards.values()].flat();
  const summaries = new Map((await records.scorecards.summaries(cardIds)).map((summary) => [summary.scorecardId, summary]));
  const chosen = await records.releases.choosing(cardIds);
  return stored.map(({ checkpointId, run, checkpoint }, place) => {
    const { attempt, step, kind, path, state, reason, savedAtMs } = checkpoint;
    const own = cards.get(checkpointId) ?? [];
    return {
      checkpointId,
      run,
      attempt,
      step,
      kind,
      path,
      state,
      reason,
      savedAtMs,
      tokens: tokens.get(checkpointId) ?? null,
      inEffect: isInEffect(attemptsOf(run.runId), attempt, step),
      results: own.reduce((sum, id) => sum + (summaries.get(id)?.results ?? 0), 0),
      incidentsBefore: incidents[place] ?? 0,
      signedReleases: chosen.filter(({ scorecardId }) => own.includes(scorecardId)).map(({ releaseId, name }) => ({ releaseId, name })),
    };
  });
}

/** Of a run that no sample tells of nothing is known to be rolled back. */
export function isInEffect(attempts: readonly StoredAttempt[], attempt: string, step: number): boolean {
  const line = effectiveLine(attempts);
  return line.size === 0 || step <= (line.get(attempt) ?? Number.NEGATIVE_INFINITY);
}

async function tokensOf(
  samples: ApiContext["store"]["samples"],
  stored: readonly StoredCheckpoint[],
): Promise<ReadonlyMap<number, number | null>> {
  const found = new Map<number, number | null>();
  for (const runId of new Set(stored.map(({ run }) => run.runId))) {
    const ofRun = stored.filter(({ run }) => run.runId === runId);
    const tokens = await samples.tokensAt(
      runId,
      ofRun.map(({ checkpoint }) => checkpoint),
    );
    for (const [place, { checkpointId }] of ofRun.entries()) found.set(checkpointId, tokens[place] ?? null);
  }
  return found;
}
