import { gpuOfFinding, nodeOfFinding, rolesOf, type Finding, type FleetIncidentMark } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { atInput } from "./schemas.ts";

/** Bursts on a fabric give hundreds of findings; the newest incidents are the ones that somebody looks for. */
const MOST_FINDINGS = 4_000;

/** Incidents that stood at a time, and what of the fleet they accuse: the marks of the map. */
export const listFleetIncidents = readVerb.input(atInput).query(async ({ ctx, input }): Promise<readonly FleetIncidentMark[]> => {
  const standing = await ctx.store.records.fleet.standingIncidents(input.atMs ?? ctx.now(), MOST_FINDINGS);
  return standing.map(({ id, title, severity, findings }): FleetIncidentMark => {
    const roles = rolesOf({ findings });
    const accused = findings.filter((finding) => roles.get(finding.id) !== "teardown");
    return { incidentId: id, title, severity, gpuIds: distinct(accused, gpuOfFinding), nodeIds: distinct(accused, nodeAlone) };
  });
});

/** The node of a finding that names no GPU. */
function nodeAlone(finding: Finding): string | null {
  return gpuOfFinding(finding) === null ? nodeOfFinding(finding) : null;
}

function distinct(findings: readonly Finding[], pick: (finding: Finding) => string | null): readonly string[] {
  return [...new Set(findings.flatMap((finding) => pick(finding) ?? []))];
}
