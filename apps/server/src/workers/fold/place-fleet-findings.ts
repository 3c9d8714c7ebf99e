import { whereaboutsOf, type FleetViews, type Whereabouts } from "@trainwatch/api";
import type { Evidence, Finding, FindingPlace } from "@trainwatch/core";
import type { RunFacts, Store } from "@trainwatch/store";
import type { FindingRun, PlacedFinding } from "./placed-finding.ts";
import { createStepClock, type StepClock } from "./step-clock.ts";

type Sources = Pick<Store, "records" | "samples">;

/**
 * Puts what the fleet's detectors found to where it was and to the run that it hit: the one whose rank was on the GPU or node at the onset; of several the newest that
 * still went on, the others named as evidence. Once stored, a finding stays with its run. Its steps are those that the run was at.
 */
export async function placeFleetFindings(
  store: Sources,
  views: FleetViews,
  findings: readonly Finding[],
): Promise<readonly PlacedFinding[]> {
  if (findings.length === 0) return [];
  const known = await store.records.findings.known(findings.map(({ id }) => id));
  const located: { readonly finding: Finding; readonly runIds: readonly number[] }[] = [];
  for (const finding of findings) {
    const { place, runIds } = await locateAt(views, finding);
    const held = known.get(finding.id)?.runId ?? null;
    located.push({ finding: { ...finding, place }, runIds: held === null ? runIds : [held] });
  }
  const runs = await readRuns(store, [...new Set(located.flatMap(({ runIds }) => runIds))]);
  const clocks = new Map<number, StepClock>();
  for (const [id, { facts }] of runs) {
    const times = located.flatMap(({ finding, runIds }) => (runIds.includes(id) ? timesOf(finding) : []));
    clocks.set(id, await createStepClock(store.samples, facts, times));
  }
  return located.map(({ finding, runIds }) =>
    put(
      finding,
      runIds.flatMap((id) => runs.get(id) ?? []),
      clocks,
    ),
  );
}

interface KnownRun {
  readonly facts: RunFacts;
  readonly attempts: Awaited<ReturnType<Store["records"]["runs"]["attempts"]>>;
}

async function readRuns({ records }: Sources, ids: readonly number[]): Promise<ReadonlyMap<number, KnownRun>> {
  const runs = new Map<number, KnownRun>();
  for (const id of ids) {
    const facts = await records.runs.facts(id);
    if (facts !== null) runs.set(id, { facts, attempts: await records.runs.attempts(id) });
  }
  return runs;
}

/** As at its onset; what was first heard of after it, a node whose kernel spoke before its first scrape, as at its detection. A run has no node, and may be gone by then. */
async function locateAt(views: FleetViews, finding: Finding): Promise<Whereabouts> {
  const at = async (timeMs: number): Promise<Whereabouts> => {
    const layout = await views.layout(timeMs);
    return locate(finding, (subject) => whereaboutsOf(layout, subject));
  };
  const then = await at(onsetOf(finding));
  const later = finding.detectedTimeMs ?? 0;
  const isKnown = then.place.nodeId !== null || then.runIds.length > 0;
  return isKnown || later <= onsetOf(finding) ? then : at(later);
}

function locate({ subject, place }: Finding, where: (subject: Finding["subject"]) => Whereabouts): Whereabouts {
  const own = where(subject);
  const [byGpu, byNode] = [place?.gpuId ?? null, place?.nodeId ?? own.place.nodeId];
  const runIds =
    own.runIds.length > 0
      ? own.runIds
      : byGpu !== null
        ? where({ kind: "gpu", id: byGpu }).runIds
        : byNode !== null && subject.kind !== "gpu" && subject.kind !== "link"
          ? where({ kind: "node", id: byNode }).runIds
          : [];
  return { place: merged(place, own.place), runIds };
}

function merged(told: FindingPlace | null, found: FindingPlace): FindingPlace {
  return {
    rank: told?.rank ?? found.rank,
    gpuId: told?.gpuId ?? found.gpuId,
    nodeId: told?.nodeId ?? found.nodeId,
    host: told?.host ?? found.host,
  };
}

function put(finding: Finding, runs: readonly KnownRun[], clocks: ReadonlyMap<number, StepClock>): PlacedFinding {
  const onsetMs = onsetOf(finding);
  const wentOn = (run: KnownRun): boolean => run.facts.endedAtMs === null || run.facts.endedAtMs >= onsetMs;
  const [chosen, ...others] = runs.toSorted((a, b) => Number(wentOn(b)) - Number(wentOn(a)) || b.facts.id - a.facts.id);
  if (chosen === undefined) return { finding, shown: finding, run: null, attempt: null };
  const { facts, attempts } = chosen;
  const attempt = attempts.findLast(({ startedAtMs }) => startedAtMs !== null && startedAtMs <= onsetMs) ?? attempts.at(-1);
  const told = others.length === 0 ? finding : { ...finding, evidence: [...finding.evidence, alsoOn(others)] };
  const stepAt = (timeMs: number | null): number | null => (timeMs === null ? null : (clocks.get(facts.id)?.(timeMs) ?? null));
  const onsetStep = stepAt(told.onsetTimeMs ?? told.detectedTimeMs);
  const shown: Finding = {
    ...told,
    attempt: attempt?.name ?? "",
    onsetStep,
    onsetLowerStep: onsetStep,
    detectedStep: stepAt(told.detectedTimeMs),
    endStep: stepAt(told.endTimeMs),
  };
  const run: FindingRun = { id: facts.id, fullName: facts.fullName, cluster: facts.metadata.cluster };
  return { finding: told, shown, run, attempt: attempt?.name ?? null };
}

function alsoOn(others: readonly KnownRun[]): Evidence {
  const names = others.map(({ facts }) => facts.fullName).join(", ");
  return { text: `also at work there at the time: ${names}`, weight: "neutral", value: null, unit: null, source: "assignments" };
}

function onsetOf({ onsetTimeMs, detectedTimeMs }: Finding): number {
  return onsetTimeMs ?? detectedTimeMs ?? 0;
}

function timesOf({ onsetTimeMs, detectedTimeMs, endTimeMs }: Finding): number[] {
  return [onsetTimeMs, detectedTimeMs, endTimeMs].filter((timeMs) => timeMs !== null);
}
