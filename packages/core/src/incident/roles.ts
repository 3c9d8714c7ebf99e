import type { Finding } from "../finding.ts";
import type { Incident } from "./incident.ts";
import { nodeOfFinding } from "./place.ts";
import { signalOf } from "./signal.ts";
import type { Signal } from "./signal.ts";
import { findingTimes } from "./span.ts";

/** `initiator`: what began it. `cascade`: what it brought about. `teardown`: what clearing up after it said. `note`: a mark beside it that explains nothing. */
export type FindingRole = "initiator" | "cascade" | "teardown" | "note";

/** What can be the beginning of the rest, the most telling first. A lost node may be lost since its GPU broke; a run that stands does so for a reason. */
const EXPLAINING: readonly (readonly Signal[])[] = [["device", "link"], ["slow-device"], ["lost"], ["application"]];

/** Clocks differ, and a scrape or a kernel line is some seconds late: of what tells within so much of each other the more telling is the beginning. */
const AT_ONCE_MS = 60_000;

/** The finding of hardware, or of an application, that explains the others; null where none does. */
export function initiatorOf(findings: readonly Finding[]): Finding | null {
  let best: Finding | null = null;
  for (const signals of EXPLAINING) {
    const first = earliest(findings.filter((finding) => finding.severity !== "info" && signals.includes(signalOf(finding))));
    if (first !== null && (best === null || onsetMs(first) < onsetMs(best) - AT_ONCE_MS)) best = first;
  }
  return best;
}

/** What each finding is in the incident, by its id; the initiator first, then by onset. */
export function rolesOf(incident: Pick<Incident, "findings">): ReadonlyMap<string, FindingRole> {
  const told = incident.findings.filter((finding) => finding.severity !== "info" && signalOf(finding) !== "teardown");
  const initiator = initiatorOf(incident.findings) ?? told[0] ?? null;
  const isInitiator = (finding: Finding): boolean =>
    initiator !== null && finding.fingerprint === initiator.fingerprint && finding.severity !== "info";
  return new Map(
    [...incident.findings.filter(isInitiator), ...incident.findings.filter((finding) => !isInitiator(finding))].map((finding) => [
      finding.id,
      isInitiator(finding) ? "initiator" : roleOf(finding),
    ]),
  );
}

function roleOf(finding: Finding): FindingRole {
  if (signalOf(finding) === "teardown") return "teardown";
  return finding.severity === "info" ? "note" : "cascade";
}

/** Nodes that a role's findings name, in no order; a finding that names none counts as a node of its own. */
export function nodesWith(findings: readonly Finding[], signal: Signal): number {
  return new Set(findings.filter((finding) => signalOf(finding) === signal).map((finding) => nodeOfFinding(finding) ?? finding.fingerprint))
    .size;
}

function earliest(findings: readonly Finding[]): Finding | null {
  return findings.reduce<Finding | null>((best, finding) => (best === null || onsetMs(finding) < onsetMs(best) ? finding : best), null);
}

function onsetMs(finding: Finding): number {
  return findingTimes(finding)?.from ?? Number.POSITIVE_INFINITY;
}
