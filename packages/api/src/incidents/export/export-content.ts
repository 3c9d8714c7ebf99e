import {
  incidentExportContentSchema,
  type IncidentExportContent,
  type NoticeView,
  type StoredReplay,
  type TimelineEntry,
} from "@trainwatch/core";
import type { StoredIncident } from "@trainwatch/store";
import type { ApiContext } from "../../context.ts";
import { required } from "../../not-found.ts";
import { concerns } from "../../replays/concerns.ts";
import { shownFindings } from "../shown-findings.ts";
import { incidentSummary } from "../summary.ts";
import { fleetSeries } from "./fleet-series.ts";
import { runSeries } from "./run-series.ts";

const MOST_ENTRIES = 2_000;
const MOST_NOTICES = 200;
const MOST_REPLAYS = 200;

/** Everything of an incident as it stands now, with its data. Each list is bounded, and says how much of it is there. */
export async function exportContent(
  ctx: Pick<ApiContext, "store" | "fleetViews" | "now">,
  incidentId: number,
): Promise<IncidentExportContent> {
  const { records } = ctx.store;
  const stored = required(await records.incidents.get(incidentId), "incident", incidentId);
  const findings = await records.findings.ofIncident(incidentId);
  const timeline = await records.incidents.timeline(incidentId, MOST_ENTRIES);
  const decisions = await records.decisions.ofIncident(incidentId);
  const replays = stored.run === null ? [] : await records.replays.ofAttempt(stored.run.id, stored.attempt, MOST_REPLAYS);
  const notices = await records.notices.list({ incidentId, channelId: null, limit: MOST_NOTICES, cursor: null });
  const run = await runSeries(ctx, stored, findings);
  const fleet = await fleetSeries(ctx, stored, findings, ctx.now());
  const shown = shownFindings(findings);
  return incidentExportContentSchema.parse({
    incident: incidentPart(stored),
    findings: shown,
    causes: stored.assessment,
    action: incidentSummary(stored, { values: [] }).action,
    decisions: decisions.map(({ verdict, reason, actor, atMs }) => ({ verdict, reason, actor, at: isoTime(atMs) })),
    replays: replays.filter((replay) => concerns({ attempt: stored.attempt, findings }, replay)).map(replayPart),
    // What happened last is what is asked for; how it began stands in the findings.
    timeline: timeline.items.map(entryPart),
    notices: notices.items.toReversed().map(noticePart),
    series: run.series,
    fleetSeries: fleet.series,
    leftOut: [...run.leftOut, ...fleet.leftOut, ...(notices.next === null ? [] : [`Notices before the newest ${MOST_NOTICES}.`])],
    shares: {
      findings: { shown: shown.length, total: findings.length },
      timeline: { shown: timeline.items.length, total: timeline.total },
      series: { shown: run.series.length, total: run.total },
      fleetSeries: { shown: fleet.series.length, total: fleet.total },
    },
  } satisfies Record<keyof IncidentExportContent, unknown>);
}

function incidentPart(stored: StoredIncident): IncidentExportContent["incident"] {
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
    endStep,
    endTimeMs,
    owner,
    flaps,
    regressionOf,
    mergedInto,
    merged,
    labelled,
  } = stored;
  const { gpuHoursPerHour, gpuHoursSoFar, costUnknown } = incidentSummary(stored, { values: [] });
  return {
    id,
    run: run?.fullName ?? null,
    attempt: attempt === "" ? null : attempt,
    title,
    severity,
    state,
    findingState,
    ongoing,
    replacedBy,
    onsetStep,
    onset: timeOrNull(onsetTimeMs),
    detected: timeOrNull(detectedTimeMs),
    opened: isoTime(openedAtMs),
    endStep,
    end: timeOrNull(endTimeMs),
    owner,
    flaps,
    regressionOf,
    mergedInto,
    merged: [...merged],
    gpuHoursPerHour,
    gpuHoursSoFar,
    costUnknown,
    label: labelled === null ? null : { label: labelled.label, reason: labelled.reason, by: labelled.by, at: isoTime(labelled.atMs) },
  };
}

function replayPart({ id: _id, atMs, ...replay }: StoredReplay): IncidentExportContent["replays"][number] {
  return { ...replay, at: isoTime(atMs) };
}

function entryPart({ atMs, step, actor, kind, text }: TimelineEntry): IncidentExportContent["timeline"][number] {
  return { at: timeOrNull(atMs), step, actor, kind, text };
}

function noticePart({ channel, reason, createdAtMs, state, deliveries }: NoticeView): IncidentExportContent["notices"][number] {
  return {
    channel,
    reason,
    at: isoTime(createdAtMs),
    state,
    tries: deliveries.map(({ atMs, ...tried }) => ({ at: isoTime(atMs), ...tried })),
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

function timeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs);
}
