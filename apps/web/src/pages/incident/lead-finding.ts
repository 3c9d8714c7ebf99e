import { initiatorOf, leadFinding, type Finding } from "@trainwatch/core";

/** The finding that the incident's title speaks of: what explains the others, else the worst; null where no finding came with it. */
export function leadOf(findings: readonly Finding[]): Finding | null {
  return findings.length === 0 ? null : (initiatorOf(findings) ?? leadFinding(findings));
}
