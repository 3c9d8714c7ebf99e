import type { Finding, Incident } from "@trainwatch/core";
import { rankCauses } from "@trainwatch/decide";
import type { KnownFact } from "@trainwatch/decide";
import { simulateCluster } from "@trainwatch/simulate";
import type { ClusterTruth, SimulatedCluster } from "@trainwatch/simulate";
import { seededRandom, wilsonInterval } from "@trainwatch/stats";
import { ALSO_RIGHT, BEFORE, SCENARIOS, clusterPlan } from "./scenarios.ts";
import type { Scenario } from "./scenarios.ts";
import { watchCluster } from "./watch-cluster.ts";
import type { Said, Verdicts } from "./watch-cluster.ts";

/** Seeds of the injections: none was looked at while a detector was made. */
export const FIRST_SEED = 71_000;

/** What came of one injection. */
export interface Outcome {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly truth: ClusterTruth;
  /** First alarm (or note) at or after the onset, within the scenario's limit; null where there was none. */
  readonly found: Said | null;
  /** Steps and seconds from the onset to it; a value that is there with the onset's own step is 1 step late. */
  readonly delaySteps: number | null;
  readonly delayS: number | null;
  /** Null where nothing was found or there is no device to name. */
  readonly isRightDevice: boolean | null;
  /** What was accused, as text. */
  readonly accused: string;
  /** First of the ranked causes, and whether it is said to be settled; null where there is no incident. */
  readonly cause: string | null;
  readonly isSettled: boolean;
  readonly isRightCause: boolean | null;
  /** Everybody who spoke after the onset, notes included, with the seconds it took. */
  readonly spoke: readonly { readonly detector: string; readonly delayS: number }[];
  /** Nodes that alarms accuse from the onset on, each with the seconds it took. */
  readonly accusedNodes: ReadonlyMap<string, number>;
  /** Alarms before the onset: who raised them. */
  readonly falseAlarms: readonly string[];
  /** Incidents that began at or after the onset. */
  readonly incidents: number;
}

export function* injections(scenarios: readonly Scenario[] = SCENARIOS, share = 1): Generator<Outcome, void, undefined> {
  for (const scenario of scenarios) {
    const first = FIRST_SEED + 1_000 * SCENARIOS.indexOf(scenario);
    for (let run = 0; run < Math.max(1, Math.round(scenario.runs * share)); run++) yield inject(scenario, first + run);
  }
}

export function inject(scenario: Scenario, seed: number): Outcome {
  const cluster = simulateCluster(planOf(scenario, seed));
  const [truth] = cluster.truth;
  if (truth === undefined || truth.onsetMs === null) throw new Error(`${scenario.name}: the fault never came`);
  const untilMs = truth.onsetMs + LIMIT_S * 1000 + scenario.within * 6_000;
  return judge(
    scenario,
    seed,
    truth,
    watchCluster(cluster, { fleet: scenario.fleet, untilMs, settle: { fromMs: truth.onsetMs, forMs: SETTLED_S * 1000 } }),
    cluster,
  );
}

/** Seconds after the onset for what the clock tells: restarts, hangs. */
const LIMIT_S = 240;
/** An incident is judged so long after its first alarm. */
const SETTLED_S = 120;

function planOf(scenario: Scenario, seed: number): Parameters<typeof simulateCluster>[0] {
  const random = seededRandom(seed);
  const plan = clusterPlan(seed, scenario.plan, BEFORE + scenario.within + 60);
  return { ...plan, faults: [scenario.fault(random, { nodes: plan.nodes, ranks: plan.nodes * 8 })] };
}

const isAlarm = ({ severity }: Finding): boolean => severity !== "info";

function judge(scenario: Scenario, seed: number, truth: ClusterTruth, { said, incidents }: Verdicts, cluster: SimulatedCluster): Outcome {
  const { plan } = cluster;
  const onsetMs = truth.onsetMs ?? 0;
  const onsetStep = truth.onsetStep ?? 0;
  const isLate = ({ atMs, step }: Said): boolean => atMs > onsetMs + LIMIT_S * 1000 && (step ?? 0) - onsetStep >= scenario.within;
  const after = said.filter((one) => one.atMs > onsetMs && !isLate(one));
  const found = after.find(({ first }) => scenario.needs === "note" || isAlarm(first)) ?? null;
  const incident = incidents.find(({ findings }) => findings.some(({ id }) => id === found?.first.id));
  const suspect = after.find(({ first }) => (scenario.needs === "note" || isAlarm(first)) && accuses(first))?.last ?? null;
  const hasDevice = truth.ranks.length > 0;
  const assessed =
    incident === undefined ? null : rankCauses({ findings: incident.findings, facts: knownFacts(truth, incident), replays: [] });
  const cause = assessed?.causes[0]?.cause ?? null;
  const right = ALSO_RIGHT[truth.kind] ?? (truth.cause === null ? [] : [truth.cause]);
  return {
    scenario,
    seed,
    truth,
    found,
    delaySteps: found === null ? null : Math.max(1, (found.step ?? onsetStep) - onsetStep + 1),
    delayS: found === null ? null : (found.atMs - onsetMs) / 1000,
    isRightDevice: !hasDevice || found === null ? null : suspect !== null && isTheOne(suspect, truth, plan.gpusPerNode),
    accused: suspect === null ? "nothing" : suspect.subject.kind,
    cause,
    isSettled: assessed !== null && assessed.word !== "not settled",
    isRightCause: incident === undefined || right.length === 0 ? null : cause !== null && right.includes(cause),
    spoke: after.map(({ first, atMs }) => ({ detector: first.detector, delayS: (atMs - onsetMs) / 1000 })),
    accusedNodes: accusedNodes(after, onsetMs, cluster),
    falseAlarms: said.filter((one) => one.atMs <= onsetMs && isAlarm(one.first)).map(({ first }) => first.detector),
    incidents: incidents.filter(({ openedAtMs }) => openedAtMs > onsetMs).length,
  };
}

function accusedNodes(after: readonly Said[], onsetMs: number, cluster: SimulatedCluster): ReadonlyMap<string, number> {
  const assignments = cluster.assignments(onsetMs);
  const nodes = new Map<string, number>();
  for (const { first, atMs } of after) {
    if (!isAlarm(first)) continue;
    const { kind, id } = first.subject;
    const [device = ""] = id.split("/");
    const rank = kind === "rank" ? Number(id) : (first.place?.rank ?? null);
    const node =
      first.place?.nodeId ??
      (kind === "node" || kind === "port" || kind === "switch"
        ? device
        : assignments.find((each) => each.gpuUuid === device || each.rank === rank)?.node);
    if (node !== undefined && !nodes.has(node)) nodes.set(node, (atMs - onsetMs) / 1000);
  }
  return nodes;
}

/** What the server knows from the run's history: that it has just been resumed. */
function knownFacts(truth: ClusterTruth, incident: Incident): readonly KnownFact[] {
  if (!truth.kind.startsWith("resume-")) return [];
  const steps = Math.min(...incident.findings.flatMap(({ onsetStep }) => onsetStep ?? [])) - (truth.onsetStep ?? 0);
  return Number.isFinite(steps) && steps >= 0 ? [{ fact: "after-resume", value: steps, subject: null, place: null }] : [];
}

function accuses({ subject, place }: Finding): boolean {
  return !["run", "logger", "stage"].includes(subject.kind) || (place?.rank ?? place?.nodeId ?? null) !== null;
}

/** Whether a finding names the struck GPU, its link or port, or the node where a node is to blame: a GPU of the node is right for the node, a node is too little for a GPU. */
function isTheOne({ subject, place }: Finding, truth: ClusterTruth, gpusPerNode: number): boolean {
  const isNodeFault = truth.ranks.length === gpusPerNode;
  switch (subject.kind) {
    case "rank":
      return truth.ranks.includes(Number(subject.id));
    case "gpu":
      return truth.gpuIds.includes(subject.id);
    case "link":
      return truth.linkId === null ? truth.gpuIds.some((gpu) => subject.id.startsWith(gpu)) : subject.id === truth.linkId;
    case "port":
      return truth.portId === null ? subject.id.startsWith(truth.nodeId ?? "?") : subject.id === truth.portId;
    case "node":
      return isNodeFault && subject.id === truth.nodeId;
    default:
      return place?.rank === null || place?.rank === undefined ? place?.nodeId === truth.nodeId : truth.ranks.includes(place.rank);
  }
}

/** A line of the table: one scenario over its seeds. */
export interface ScenarioLine extends Readonly<Record<string, string | number>> {
  readonly injected: string;
  readonly runs: number;
  readonly found: number;
  readonly "found, 95 % from": number;
  readonly "median delay, steps": number;
  readonly "p90, steps": number;
  readonly "median delay, s": number;
  readonly "p90, s": number;
  readonly "right device": string;
  readonly "right cause": string;
  readonly "first said by": string;
  readonly "false alarms before": number;
  readonly incidents: number;
}

export function summariseScenarios(outcomes: readonly Outcome[]): readonly ScenarioLine[] {
  return [...new Set(outcomes.map(({ scenario }) => scenario))].map((scenario) => {
    const own = outcomes.filter((outcome) => outcome.scenario === scenario);
    const found = own.filter((outcome) => outcome.found !== null).length;
    return {
      injected: scenario.name,
      runs: own.length,
      found,
      "found, 95 % from": Number(wilsonInterval(found, own.length).low.toFixed(3)),
      "median delay, steps": ofAll(
        own.map(({ delaySteps }) => delaySteps),
        0.5,
      ),
      "p90, steps": ofAll(
        own.map(({ delaySteps }) => delaySteps),
        0.9,
      ),
      "median delay, s": ofAll(
        own.map(({ delayS }) => delayS),
        0.5,
      ),
      "p90, s": ofAll(
        own.map(({ delayS }) => delayS),
        0.9,
      ),
      "right device": shareOf(own.map(({ isRightDevice }) => isRightDevice)),
      "right cause": shareOf(own.map(({ isRightCause }) => isRightCause)),
      "first said by": mostOften(own.flatMap(({ found: said }) => said?.first.detector ?? [])),
      "false alarms before": own.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0),
      incidents: ofAll(
        own.map(({ incidents }) => incidents),
        0.5,
      ),
    };
  });
}

/** What was never found counts as never: it sorts last, and 9999 stands for it. */
export function ofAll(values: readonly (number | null)[], share: number): number {
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(value) ? Number(value.toFixed(1)) : 9_999;
}

function shareOf(rights: readonly (boolean | null)[]): string {
  const known = rights.filter((right) => right !== null);
  return known.length === 0 ? "" : `${known.filter(Boolean).length} of ${known.length}`;
}

function mostOften(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([word, count]) => (count === words.length ? word : `${word} ${count}`))
    .join(", ");
}

/** True causes down, what was ranked first across. */
export function causeConfusion(outcomes: readonly Outcome[]): readonly Readonly<Record<string, string | number>>[] {
  const judged = outcomes.filter(({ isRightCause }) => isRightCause !== null);
  return confusion(
    judged.map(({ truth, cause, isSettled }) => [
      truth.cause ?? "none",
      `${cause ?? "none"}${cause === null || isSettled ? "" : ", not settled"}`,
    ]),
    "true cause",
  );
}

/** What was struck down, what was accused first across, with those that name the right one. */
export function deviceConfusion(outcomes: readonly Outcome[]): readonly Readonly<Record<string, string | number>>[] {
  const judged = outcomes.filter(({ isRightDevice }) => isRightDevice !== null);
  const struck = ({ linkId, portId, ranks }: ClusterTruth): string =>
    linkId !== null ? "link" : portId !== null ? "port" : ranks.length > 1 ? "node" : "GPU";
  return confusion(
    judged.map(({ truth, accused, isRightDevice }) => [struck(truth), `${accused}${isRightDevice === true ? ", right" : ""}`]),
    "struck",
  );
}

function confusion(pairs: readonly (readonly [string, string])[], corner: string): readonly Readonly<Record<string, string | number>>[] {
  const columns = [...new Set(pairs.map(([, said]) => said))].sort();
  return [...new Set(pairs.map(([truth]) => truth))].sort().map((truth) => {
    const own = pairs.filter(([of]) => of === truth);
    return { [corner]: truth, ...Object.fromEntries(columns.map((said) => [said, own.filter(([, one]) => one === said).length])) };
  });
}
