import { effectiveView, type RunDetail } from "@trainwatch/core";
import type { StoredAttempt } from "@trainwatch/store";
import { MARKS_LIMIT } from "../marks-limit.ts";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { runAxes } from "./axes.ts";
import { runInput } from "./schemas.ts";

export const getRun = readVerb.input(runInput).query(async ({ ctx, input: { runId } }): Promise<RunDetail> => {
  const { records } = ctx.store;
  const run = required(await records.runs.facts(runId), "run", runId);
  const [[summary], attempts, checkpoints, notes, known] = await Promise.all([
    records.runs.summaries([runId]),
    records.runs.attempts(runId),
    records.runs.checkpoints(runId, { nearStep: null, limit: MARKS_LIMIT }),
    records.runs.notes(runId, MARKS_LIMIT),
    records.runs.axes(runId),
  ]);
  return {
    ...required(summary, "run", runId),
    attempts: withSuperseded(attempts),
    checkpoints: checkpoints.items,
    checkpointTotal: checkpoints.total,
    notes: notes.items,
    noteTotal: notes.total,
    axes: runAxes(run, known),
    stepIsConstant: run.stepIsConstant,
    stepTimeS: run.stepTimeS,
    stateReason: run.stateReason,
    stateSinceMs: run.stateSinceMs,
    seriesCount: run.seriesCount,
    pointCount: run.pointCount,
    zoneAssumed: run.zoneAssumed,
  };
});

function withSuperseded(attempts: readonly StoredAttempt[]): RunDetail["attempts"] {
  const { superseded } = effectiveView(attempts);
  return attempts.map(({ id: _id, ordinal: _ordinal, ...attempt }) => ({ ...attempt, superseded: superseded.get(attempt.name) ?? [] }));
}
