import type { Finding, IncidentSummary, TurningPoint } from "@trainwatch/core";

/**
 * The incident that speaks of a turning point: one that began where a finding on the held-out metric did. Open ones first, then the
 * newest. Null where no incident was opened for it.
 */
export function incidentOfTurn(
  incidents: readonly IncidentSummary[],
  findings: readonly Finding[],
  turn: Pick<TurningPoint, "metric">,
): IncidentSummary | null {
  const own = findings.filter(({ metric }) => metric === turn.metric);
  const found = incidents.filter((incident) =>
    own.some(
      ({ onsetStep, attempt, summary }) =>
        incident.title === summary || (incident.attempt === attempt && onsetStep !== null && incident.onsetStep === onsetStep),
    ),
  );
  const order = [...found].sort((a, b) => Number(a.state === "resolved") - Number(b.state === "resolved") || b.openedAtMs - a.openedAtMs);
  return order[0] ?? null;
}
