import { runMetadataSchema, type IncidentDetail } from "@trainwatch/core";
import { MARKS_LIMIT } from "../marks-limit.ts";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { concerns } from "../replays/concerns.ts";
import { incidentSignals } from "../series/signals.ts";
import { incidentInput } from "./schemas.ts";
import { shownFindings } from "./shown-findings.ts";
import { incidentSummary } from "./summary.ts";

/** Newest entries of the timeline: one that flaps or floods grows by thousands (F1, G1). */
const MOST_ENTRIES = 1_000;
const NO_CHECKPOINTS = { items: [], total: 0 };
const NO_METADATA = runMetadataSchema.parse({});

export const getIncident = readVerb.input(incidentInput).query(async ({ ctx, input: { incidentId } }): Promise<IncidentDetail> => {
  const { records } = ctx.store;
  const stored = required(await records.incidents.get(incidentId), "incident", incidentId);
  const [findings, decisions, timeline, checkpoints, replays, signals] = await Promise.all([
    records.findings.ofIncident(incidentId),
    records.decisions.ofIncident(incidentId),
    records.incidents.timeline(incidentId, MOST_ENTRIES),
    stored.run === null ? NO_CHECKPOINTS : records.runs.checkpoints(stored.run.id, { nearStep: stored.onsetStep, limit: MARKS_LIMIT }),
    stored.run === null ? [] : records.replays.ofAttempt(stored.run.id, stored.attempt, MARKS_LIMIT),
    incidentSignals(ctx, [stored]),
  ]);
  const { advice, run, assessment, labelled, mergedInto, merged } = stored;
  return {
    ...incidentSummary(stored, signals[0] ?? { values: [] }),
    findings: shownFindings(findings),
    mergedInto,
    merged,
    assessment,
    replays: replays.filter((replay) => concerns({ attempt: stored.attempt, findings }, replay)),
    labelled,
    advice: advice === null ? null : { ...advice.advice, id: advice.id, createdAtMs: advice.createdAtMs },
    decisions,
    timeline: timeline.items,
    timelineTotal: timeline.total,
    checkpoints: checkpoints.items,
    checkpointTotal: checkpoints.total,
    metadata: run?.metadata ?? NO_METADATA,
    stepTimeS: run?.stepTimeS ?? null,
    lastStep: run?.lastStep ?? null,
  };
});
