import { severityRank, type Finding, type FindingState } from "@trainwatch/core";

/**
 * The finding that stands for the incident: the worst; of those one in the state that the incident itself is said to be in; of those
 * the one that began first.
 */
export function leadFinding(findings: readonly Finding[], state: FindingState): Finding | null {
  let lead: Finding | null = null;
  for (const finding of findings) {
    if (lead === null || isBefore(finding, lead, state)) lead = finding;
  }
  return lead;
}

function isBefore(a: Finding, b: Finding, state: FindingState): boolean {
  const bySeverity = severityRank(a.severity) - severityRank(b.severity);
  if (bySeverity !== 0) return bySeverity > 0;
  if ((a.state === state) !== (b.state === state)) return a.state === state;
  return (a.onsetStep ?? Number.POSITIVE_INFINITY) < (b.onsetStep ?? Number.POSITIVE_INFINITY);
}
