import { getRouteApi } from "@tanstack/react-router";
import type { IncidentDetail } from "@trainwatch/core";
import { incidentRange, type StepRange } from "./chart-range.ts";
import { leadOf } from "./lead-finding.ts";

const route = getRouteApi("/incidents/$incidentId");

/** The steps on show: those of the URL, else those of the incident. */
export function useShownRange(incident: IncidentDetail): StepRange {
  const { from, to } = route.useSearch();
  if (from !== undefined || to !== undefined) return { from: from ?? null, to: to ?? null };
  return incidentRange({
    onsetStep: incident.onsetStep,
    endStep: leadOf(incident.findings)?.endStep ?? null,
    lastStep: incident.lastStep,
    ongoing: incident.ongoing,
  });
}
