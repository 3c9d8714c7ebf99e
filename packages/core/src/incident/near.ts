import type { Finding } from "../finding.ts";
import type { FoldContext } from "./fold-context.ts";
import type { Incident } from "./incident.ts";
import { kinship } from "./kinship.ts";
import type { Kinship } from "./kinship.ts";
import { nodeOfFinding } from "./place.ts";
import { ACCUSERS, signalOf } from "./signal.ts";

/** An incident that holds kin of a finding. */
export interface Near {
  readonly incident: Incident;
  /** Kin by what was told of one memory long before, and by nothing nearer. */
  readonly isFar: boolean;
}

/**
 * Incidents that hold kin of the finding, the nearest first, far ones last. How near is only reckoned where there are several to choose from: one incident may hold thousands of findings (F1), and thousands
 * more may come to it at once.
 */
export function nearest(finding: Finding, context: FoldContext): readonly Near[] {
  const kindred = context.incidents.filter((incident) => kinshipWith(finding, incident, context, "any") !== null);
  // Alone it is tied with nothing.
  if (kindred.length < 2) return kindred.map((incident) => ({ incident, isFar: false }));
  return kindred
    .flatMap((incident) => {
      const kin = kinshipWith(finding, incident, context, "nearest");
      return kin === null ? [] : [{ incident, kin }];
    })
    .sort((a, b) => nearerKin(a.kin, b.kin) || (a.incident.id ?? 0) - (b.incident.id ?? 0))
    .map(({ incident, kin }) => ({ incident, isFar: kin.isFar === true }));
}

function nearerKin(a: Kinship, b: Kinship): number {
  return Number(a.isFar === true) - Number(b.isFar === true) || b.kind - a.kind || a.gap - b.gap;
}

/** Whether it says, worse than in a note, which device is broken. */
export function accusesDevice(finding: Finding): boolean {
  return finding.severity !== "info" && ACCUSERS.has(signalOf(finding));
}

/**
 * The nearest kinship with any finding of the incident, or the first that is found; null where there is none, or only by way of another device's fault. By its notes nothing is kin to an incident:
 * they belong to it because of what is worse, and would tie what has nothing to do with each other.
 */
function kinshipWith(finding: Finding, incident: Incident, context: FoldContext, wanted: "any" | "nearest"): Kinship | null {
  const isOneRun = incident.run === context.run;
  // What works for no run now may have worked for this one until its fault ended it, and either may be told first.
  if (!isOneRun && context.run !== null && !isOfNoRun(incident, finding)) return null;
  const accused = ACCUSERS.has(signalOf(finding)) ? incident.findings.filter(accusesDevice) : [];
  let best: Kinship | null = null;
  for (const held of accused.length > 0 ? accused : incident.findings) {
    if (held.severity === "info") continue;
    const kin = kinOf(finding, held, context);
    if (kin === null || (!isOneRun && kin.kind < 2)) continue;
    if (best === null || nearerKin(kin, best) < 0) best = kin;
    if (wanted === "any") break;
  }
  return best;
}

/** An incident of no run that has told of nothing worse than notes but the finding's own node: it may turn out to be of the run that the finding was of. */
export function isOfNoRun({ run, findings }: Incident, finding: Finding): boolean {
  const node = nodeOfFinding(finding);
  if (run !== null || node === null || finding.severity === "info") return false;
  return findings.every((held) => held.severity === "info" || nodeOfFinding(held) === node);
}

/** Of what works for no run only nodes that are lost together have anything to do with each other across nodes: no job ties the rest. */
export function kinOf(a: Finding, b: Finding, context: FoldContext): Kinship | null {
  const kin = kinship(a, b, context.logEvery);
  if (kin === null || kin.kind > 0 || context.run !== null) return kin;
  return signalOf(a) === "lost" && signalOf(b) === "lost" ? kin : null;
}
