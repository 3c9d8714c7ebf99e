import type { Finding } from "../finding.ts";
import { worstSeverity } from "../severity.ts";
import { incidentStateAt } from "./actions.ts";
import type { Incident } from "./incident.ts";
import { accusesDevice, isOfNoRun } from "./near.ts";
import type { Near } from "./near.ts";

/** Where a finding belongs: the incident that it goes into, and those that it shows to be the same. */
export interface Home {
  readonly incident: Incident;
  /** Older ones first. */
  readonly absorbed: readonly Incident[];
}

/**
 * Of the incidents that are kin to a finding and not resolved, nearest first, those that it makes one. Two that accuse devices become one only where the finding accuses as well: it is then kin
 * to an accused of each. What a run suffers beside two broken devices says nothing of their being one fault: it goes to the nearer, with what else it suffers. Notes tie nothing,
 * and neither does what one memory said long ago: a ticket of weeks ago, taken by somebody, would swallow what is new.
 * @param holder the incident that holds the finding already, which it never leaves
 */
export function homeOf(finding: Finding, near: readonly Near[], holder: Incident | null): Home | null {
  const first = holder ?? near[0]?.incident;
  if (first === undefined) return null;
  const own = near.find(({ incident }) => incident === first);
  if (finding.severity === "info" || own === undefined || own.isFar) return { incident: first, absorbed: [] };
  const mayTieAccused = accusesDevice(finding);
  const group = [first];
  for (const { incident: other, isFar } of near)
    if (other !== first && !isFar && isOfOne(group, other, finding) && (mayTieAccused || !accuses(other) || !group.some(accuses)))
      group.push(other);
  const [eldest = first, ...absorbed] = group.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0));
  return { incident: eldest, absorbed };
}

function accuses({ findings }: Incident): boolean {
  return findings.some(accusesDevice);
}

/** One run, and one attempt as far as they name any; what was of no run may be of it. */
function isOfOne(group: readonly Incident[], other: Incident, finding: Finding): boolean {
  return group.every((each) => {
    const isOneRun = each.run === other.run || isOfNoRun(each, finding) || isOfNoRun(other, finding);
    return isOneRun && (each.attempt === other.attempt || each.attempt === "" || other.attempt === "");
  });
}

/**
 * Several incidents as one, the first of them going on. Whoever has taken one of them when all were known has it: of what was opened after nobody has said that they look at it. What nobody has put
 * off is not put off, and what is put off comes back at the earlier time.
 */
export function mergedIncident(eldest: Incident, absorbed: readonly Incident[], nowMs: number): Incident {
  if (absorbed.length === 0) return eldest;
  const all = [eldest, ...absorbed];
  const ids = new Set(all.map(({ id }) => id));
  const states = all.map((incident) => incidentStateAt(incident, nowMs));
  const openedAtMs = Math.max(...all.map((incident) => incident.openedAtMs));
  const taken = all.filter(({ acknowledgedAtMs }, index) => states[index] === "acknowledged" && (acknowledgedAtMs ?? 0) >= openedAtMs);
  const state = taken.length > 0 ? "acknowledged" : states.every((each) => each === "snoozed") ? "snoozed" : "open";
  const times = taken.flatMap(({ acknowledgedAtMs }) => acknowledgedAtMs ?? []);
  return {
    ...eldest,
    run: all.find(({ run }) => run !== null)?.run ?? null,
    state,
    severity: all.map(({ severity }) => severity).reduce(worstSeverity),
    attempt: all.find(({ attempt }) => attempt !== "")?.attempt ?? "",
    findings: all.flatMap(({ findings }) => findings),
    regressionOf: all.find(({ regressionOf }) => regressionOf !== null && !ids.has(regressionOf))?.regressionOf ?? null,
    owner: [...taken, ...all].find(({ owner }) => owner !== null)?.owner ?? null,
    openedAtMs: Math.min(...all.map(({ openedAtMs }) => openedAtMs)),
    acknowledgedAtMs: times.length === 0 ? (eldest.state === "acknowledged" ? null : eldest.acknowledgedAtMs) : Math.min(...times),
    snoozedUntilMs: state === "snoozed" ? Math.min(...all.flatMap(({ snoozedUntilMs }) => snoozedUntilMs ?? [])) : null,
    flaps: all.reduce((sum, { flaps }) => sum + flaps, 0) + faultsInSeveral(all),
  };
}

/** A fault that each of several incidents holds has come back so often, less one. */
function faultsInSeveral(incidents: readonly Incident[]): number {
  const known = new Set<string>();
  let again = 0;
  for (const { findings } of incidents) {
    const own = new Set(findings.filter(({ severity }) => severity !== "info").map(({ fingerprint }) => fingerprint));
    for (const fingerprint of own) {
      if (known.has(fingerprint)) again++;
      known.add(fingerprint);
    }
  }
  return again;
}
