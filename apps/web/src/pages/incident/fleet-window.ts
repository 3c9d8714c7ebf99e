import { fieldOf, gpuOfFinding, nodeOfFinding, rolesOf, type Finding, type FindingRole } from "@trainwatch/core";

const MINUTE = 60_000;
/** Before the onset at least so long: the baseline must be seen beside the fault. */
const LEAST_BEFORE_MS = 20 * MINUTE;
const LEAST_AFTER_MS = 10 * MINUTE;
/** The live end moves in steps, so that a chart is not asked for anew with each second. */
const STEP_MS = 30_000;

/** The stretch of wall time around a fault; null where nobody knows when it began. */
export function fleetWindow(
  incident: { readonly onsetTimeMs: number | null; readonly detectedTimeMs: number | null; readonly ongoing: boolean },
  endTimeMs: number | null,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } | null {
  const onsetMs = incident.onsetTimeMs ?? incident.detectedTimeMs;
  if (onsetMs === null) return null;
  const lastMs = Math.ceil(nowMs / STEP_MS) * STEP_MS;
  const endMs = incident.ongoing ? lastMs : Math.min(lastMs, endTimeMs ?? lastMs);
  const length = Math.max(LEAST_AFTER_MS, endMs - onsetMs);
  const before = Math.max(LEAST_BEFORE_MS, length / 2);
  return {
    fromMs: Math.floor((onsetMs - before) / STEP_MS) * STEP_MS,
    toMs: Math.min(lastMs, Math.ceil((onsetMs + length * (incident.ongoing ? 1 : 1.5)) / STEP_MS) * STEP_MS),
  };
}

/** A metric of the fleet that a finding speaks of, and whose line matters. */
export interface AccusedSeries {
  readonly metric: string;
  /** Entity whose line is lit; its node's other lines are its peers. */
  readonly entityId: string;
  readonly gpuId: string | null;
  readonly nodeId: string | null;
  readonly host: string | null;
}

const ORDER: readonly FindingRole[] = ["initiator", "cascade", "note"];

/** Fields that findings accuse a piece of the fleet by, what began it first; one an entity and field. */
export function accusedSeries(findings: readonly Finding[], most: number): readonly AccusedSeries[] {
  const roles = rolesOf({ findings });
  const ordered = findings
    .filter((finding) => ORDER.includes(roles.get(finding.id) ?? "teardown"))
    .toSorted((a, b) => ORDER.indexOf(roles.get(a.id) ?? "note") - ORDER.indexOf(roles.get(b.id) ?? "note"));
  const found = new Map<string, AccusedSeries>();
  for (const finding of ordered) {
    if (found.size >= most) break;
    const { kind, id } = finding.subject;
    if (fieldOf(finding.metric) === null || kind === "run" || kind === "logger" || kind === "stage" || kind === "rank") continue;
    const key = `${finding.metric} ${id}`;
    const place = { gpuId: gpuOfFinding(finding), nodeId: nodeOfFinding(finding), host: finding.place?.host ?? null };
    if (!found.has(key)) found.set(key, { metric: finding.metric, entityId: id, ...place });
  }
  return [...found.values()];
}

/** The piece of the fleet that is accused first, whatever it is accused by; null where none is. */
export function firstAccused(findings: readonly Finding[]): Omit<AccusedSeries, "metric" | "entityId"> | null {
  const roles = rolesOf({ findings });
  for (const id of roles.keys()) {
    const finding = findings.find((each) => each.id === id);
    if (finding === undefined) continue;
    const [gpuId, nodeId] = [gpuOfFinding(finding), nodeOfFinding(finding)];
    if (gpuId !== null || nodeId !== null) return { gpuId, nodeId, host: finding.place?.host ?? null };
  }
  return null;
}
