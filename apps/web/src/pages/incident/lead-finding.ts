import { leadFinding, type Finding } from "@trainwatch/core";

/** The finding that the incident's title speaks of; null where no finding came with it. */
export function leadOf(findings: readonly Finding[]): Finding | null {
  return findings.length === 0 ? null : leadFinding(findings);
}
