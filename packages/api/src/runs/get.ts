import { effectiveView, type RunDetail } from "@trainwatch/core";
import type { StoredAttempt } from "@trainwatch/store";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { runAxes } from "./axes.ts";
import { runInput } from "./schemas.ts";

/** Marks on a chart: beyond so many the newest are given. */
const MAX_NOTES = 2_000;

export const getRun = readVerb.input(runInput).query(async ({ ctx, input: { runId } }): Promise<RunDetail> => {
  const { records } = ctx.store;
  const run = required(await records.runs.facts(runId), "run", runId);
  const [[summary], attempts, checkpoints, notes, known] = await Promise.all([
    records.runs.summaries([runId]),
    records.runs.attempts(runId),
    records.runs.checkpoints(runId),
    records.runs.notes(runId, MAX_NOTES),
    records.runs.axes(runId),
  ]);
  return {
    ...required(summary, "run", runId),
    attempts: withSuperseded(attempts),
    checkpoints,
    notes,
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
