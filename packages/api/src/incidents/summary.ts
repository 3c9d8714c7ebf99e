import type { IncidentSummary, Sparkline } from "@trainwatch/core";
import { describeAction } from "@trainwatch/decide";
import type { StoredIncident } from "@trainwatch/store";
import { incidentCost } from "./cost.ts";

/** One row of the inbox. */
export function incidentSummary(stored: StoredIncident, signal: Sparkline): IncidentSummary {
  const {
    id,
    run,
    attempt,
    title,
    severity,
    state,
    findingState,
    ongoing,
    replacedBy,
    onsetStep,
    onsetTimeMs,
    detectedTimeMs,
    openedAtMs,
    findingCount,
    regressionOf,
    owner,
    acknowledgedAtMs,
    snoozedUntilMs,
    flaps,
    assessment,
    labelled,
  } = stored;
  const [likeliest] = assessment?.causes ?? [];
  return {
    id,
    runId: run?.id ?? null,
    project: run?.project ?? null,
    runName: run?.name ?? null,
    attempt,
    title,
    severity,
    state,
    findingState,
    ongoing,
    replacedBy,
    onsetStep,
    onsetTimeMs,
    detectedTimeMs,
    openedAtMs,
    findingCount,
    regressionOf,
    owner,
    acknowledgedAtMs,
    snoozedUntilMs,
    flaps,
    label: labelled?.label ?? null,
    cause:
      assessment === null || likeliest === undefined
        ? null
        : {
            cause: likeliest.cause,
            subjectKind: likeliest.subjectKind,
            subjectId: likeliest.subjectId,
            word: assessment.word,
            share: likeliest.share,
          },
    signal,
    ...incidentCost(stored),
    action: actionOf(stored),
  };
}

function actionOf({ advice, decision }: StoredIncident): IncidentSummary["action"] {
  if (advice === null) return null;
  return { text: describeAction(advice.advice), confidence: advice.advice.confidence, decision: decision?.verdict ?? null };
}
