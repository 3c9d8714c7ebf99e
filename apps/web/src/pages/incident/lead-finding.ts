import { severityRank, type Finding } from "@trainwatch/core";

/** The finding that stands for the incident: the worst, and of those the one that began first. */
export function leadFinding(findings: readonly Finding[]): Finding | null {
  let lead: Finding | null = null;
  for (const finding of findings) {
    if (lead === null || isBefore(finding, lead)) lead = finding;
  }
  return lead;
}

function isBefore(a: Finding, b: Finding): boolean {
  const bySeverity = severityRank(a.severity) - severityRank(b.severity);
  if (bySeverity !== 0) return bySeverity > 0;
  return (a.onsetStep ?? Number.POSITIVE_INFINITY) < (b.onsetStep ?? Number.POSITIVE_INFINITY);
}
