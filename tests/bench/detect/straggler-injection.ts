import type { CauseFactName, Finding, RankPlacement } from "@trainwatch/core";
import { RANK_DETECTORS, rankMonitorOf, type RankMonitor } from "@trainwatch/detect";
import { alarmsPer10kUpperBound, wilsonInterval } from "@trainwatch/stats";
import { heavyNoise, layoutOf, softNoise, uniformNoise } from "./rank-noise.ts";

/** detection.md L.7 and L.8. */
export const STRAGGLER_GOALS = { found: 0.99, within: 10, causeRight: 0.9 } as const;

type SlowCause = "rank" | "node" | "last stage" | "network" | "data loading" | "sequence length";

interface Slowness {
  readonly cause: SlowCause;
  /** Of compute, transfer time, the step (data) or the spread of lengths. */
  readonly factor: number;
}

const SLOWNESSES: readonly Slowness[] = [
  { cause: "rank", factor: 1.15 },
  { cause: "node", factor: 1.15 },
  { cause: "node", factor: 1.3 },
  { cause: "last stage", factor: 1.2 },
  { cause: "network", factor: 1.5 },
  { cause: "data loading", factor: 1.2 },
  { cause: "sequence length", factor: 8 },
];

export interface StragglerLine extends Readonly<Record<string, string | number>> {
  readonly cause: SlowCause;
  readonly factor: number;
  readonly injected: number;
  readonly "found within 10": number;
  readonly "found, 95 % from": number;
  readonly "median delay": number;
  readonly "cause right": number;
  readonly "subject right": number;
  readonly told: string;
}

const LAYOUT = { dp: 16, tp: 4, pp: 4 } as const;
const BEFORE = 200;
const AFTER = 40;

/** One kind of slowness at a time in a run of 256 ranks. */
export function injectStragglers(trials: number): readonly StragglerLine[] {
  const placements = layoutOf(LAYOUT);
  return SLOWNESSES.map((slowness) =>
    summarise(
      slowness,
      Array.from({ length: trials }, (_, trial) => inject(placements, slowness, 5_000 + trial)),
    ),
  );
}

export function stragglerGoalsMet(lines: readonly StragglerLine[]): boolean {
  const injected = lines.reduce((sum, line) => sum + line.injected, 0);
  const right = lines.reduce((sum, line) => sum + line["cause right"] * line.injected, 0);
  return lines.every((line) => line["found within 10"] >= STRAGGLER_GOALS.found) && right / injected >= STRAGGLER_GOALS.causeRight;
}

export interface QuietLine extends Readonly<Record<string, string | number>> {
  readonly run: string;
  readonly steps: number;
  readonly alarms: number;
  readonly "at most per 10k (95 %)": number;
}

/** Healthy runs whose sequence lengths vary by half from step to step and rank to rank: with the load logged, with forward and backward times alone, and with neither. */
export function varyingLengths(steps: number): readonly QuietLine[] {
  const placements = layoutOf(LAYOUT);
  return (["load", "passes", "compute only"] as const).map((logged, index) => {
    const world = createWorld(placements, 900 + index, { spread: 0.5, logged });
    const monitor = rankMonitorOf(RANK_DETECTORS, { run: "bench/lengths", attempt: "a1", placements });
    const alarms = new Set<string>();
    for (let step = 0; step < steps; step++)
      for (const finding of world.feed(monitor, step, null)) if (finding.severity !== "info") alarms.add(finding.id);
    return {
      run: `lengths vary by half; logged: ${logged}`,
      steps,
      alarms: alarms.size,
      "at most per 10k (95 %)": Number(alarmsPer10kUpperBound(alarms.size, steps).toFixed(2)),
    };
  });
}

interface Sick extends Slowness {
  readonly ranks: ReadonlySet<number>;
}

interface Outcome {
  readonly delay: number;
  readonly told: SlowCause | "nothing";
  readonly subject: boolean;
}

function inject(placements: readonly RankPlacement[], slowness: Slowness, seed: number): Outcome {
  const spread = slowness.cause === "sequence length" ? 0.03 : 0.25;
  const world = createWorld(placements, seed, { spread, logged: seed % 2 === 0 ? "load" : "passes" });
  const monitor = rankMonitorOf(RANK_DETECTORS, { run: "bench/slow", attempt: "a1", placements });
  const sick = chooseSick(placements, slowness, seed);
  let found: Finding[] = [];
  for (let step = 0; step < BEFORE + AFTER; step++) {
    const now = world.feed(monitor, step, step >= BEFORE ? sick : null);
    if (step < BEFORE) continue;
    found = [...found, ...now.filter(({ onsetStep }) => (onsetStep ?? 0) >= BEFORE - AFTER)];
  }
  // A note comes and goes with the lengths of healthy steps; it answers for slowness only where these are what was injected.
  const first = found.find(({ severity }) => severity !== "info" || slowness.cause === "sequence length");
  if (first === undefined) return { delay: Number.POSITIVE_INFINITY, told: "nothing", subject: false };
  return { delay: (first.detectedStep ?? 0) - BEFORE + 1, told: causeOf(found), subject: isSubject(found, sick, placements) };
}

function chooseSick(placements: readonly RankPlacement[], slowness: Slowness, seed: number): Sick {
  const rank = Math.floor(uniformNoise(seed + 11)() * placements.length);
  const nodeId = placements[rank]?.nodeId;
  const last = Math.max(...placements.map(({ pp }) => pp ?? 0));
  const isSick: Record<SlowCause, (placement: RankPlacement) => boolean> = {
    rank: (one) => one.rank === rank,
    node: (one) => one.nodeId === nodeId,
    "last stage": (one) => one.pp === last,
    network: () => true,
    "data loading": (one) => one.rank === rank,
    "sequence length": () => true,
  };
  return { ...slowness, ranks: new Set(placements.filter(isSick[slowness.cause]).map((one) => one.rank)) };
}

/** What a reader of the facts would name: a ticket before a note, the narrower before the wider. */
const CAUSE_OF: readonly (readonly [fact: CauseFactName, cause: SlowCause])[] = [
  ["node-compute-slow", "node"],
  ["rank-compute-slow", "rank"],
  ["last-stage-slow", "last stage"],
  ["transfer-slow", "network"],
  ["data-wait", "data loading"],
  ["sequence-load-correlates", "sequence length"],
];

function causeOf(findings: readonly Finding[]): SlowCause | "nothing" {
  const facts = new Set(findings.flatMap((finding) => finding.facts.map(({ fact }) => fact)));
  return CAUSE_OF.find(([fact]) => facts.has(fact))?.[1] ?? "nothing";
}

function isSubject(findings: readonly Finding[], sick: Sick, placements: readonly RankPlacement[]): boolean {
  const named = findings.filter(({ severity }) => severity !== "info").map(({ subject }) => subject);
  const isRight = ({ kind, id }: Finding["subject"]): boolean => {
    if (kind === "rank") return sick.ranks.has(Number(id));
    if (kind === "node") return placements.some(({ rank, nodeId }) => nodeId === id && sick.ranks.has(rank));
    return true;
  };
  return named.every(isRight);
}

interface WorldPlan {
  /** Coefficient of variation of the sequence load. */
  readonly spread: number;
  readonly logged: "load" | "passes" | "compute only";
}

interface World {
  feed(monitor: RankMonitor, step: number, sick: Sick | null): readonly Finding[];
}

/** A step of a pipelined run: load of each replica, compute from it, a transfer that ends for all ranks of a data-parallel group at once. */
function createWorld(placements: readonly RankPlacement[], seed: number, { spread, logged }: WorldPlan): World {
  const noise = heavyNoise(seed);
  const soft = softNoise(seed + 1);
  const ranks = placements.length;
  const has = new Uint8Array(ranks).fill(1);
  const offsets = Float64Array.from({ length: ranks }, () => 1 + 0.01 * soft());
  const replicas = 1 + Math.max(...placements.map(({ dp }) => dp ?? 0));
  const groupOf = (rank: number): number => (placements[rank]?.tp ?? 0) + 1_000 * (placements[rank]?.pp ?? 0);
  return {
    feed(monitor, step, sick) {
      const isSick = (cause: SlowCause, rank: number): boolean =>
        sick !== null &&
        sick.ranks.has(rank) &&
        (sick.cause === cause || (cause === "rank" && (sick.cause === "node" || sick.cause === "last stage")));
      const wide = sick?.cause === "sequence length" ? spread * sick.factor : spread;
      const loads = Float64Array.from({ length: replicas }, () => 1e9 * Math.exp(wide * soft()));
      const load = Float64Array.from({ length: ranks }, (_, rank) => loads[placements[rank]?.dp ?? 0] ?? 0);
      const compute = load.map(
        (one, rank) =>
          (1 + 3e-9 * one) * (offsets[rank] ?? 1) * Math.exp(0.01 * noise()) * (isSick("rank", rank) ? (sick?.factor ?? 1) : 1),
      );
      const data = load.map(
        (_, rank) => 0.02 * Math.exp(0.3 * noise() * 0.5) + (isSick("data loading", rank) ? ((sick?.factor ?? 1) - 1) * 4.5 : 0),
      );
      const arrival = compute.map((seconds, rank) => seconds + (data[rank] ?? 0));
      const latest = new Map<number, number>();
      for (const [rank, seconds] of arrival.entries()) latest.set(groupOf(rank), Math.max(latest.get(groupOf(rank)) ?? 0, seconds));
      const transfers = new Map(
        [...latest.keys()].map((group) => [group, 0.5 * Math.exp(0.02 * noise()) * (sick?.cause === "network" ? sick.factor : 1)]),
      );
      const communication = arrival.map(
        (seconds, rank) => (latest.get(groupOf(rank)) ?? 0) - seconds + (transfers.get(groupOf(rank)) ?? 0),
      );
      const whole = Math.max(...arrival.map((seconds, rank) => seconds + (communication[rank] ?? 0)));
      const columns: (readonly [metric: string, values: Float64Array])[] = [
        ["data_time", data],
        ["communication_time", communication],
        ["step_time", new Float64Array(ranks).fill(whole)],
      ];
      if (logged === "passes")
        columns.push(
          ["forward_time", compute.map((seconds) => (seconds / 3) * Math.exp(0.003 * noise()))],
          ["backward_time", compute.map((seconds) => ((2 * seconds) / 3) * Math.exp(0.003 * noise()))],
        );
      else columns.push(["compute_time", compute]);
      if (logged === "load") columns.push(["sequence_load", load]);
      return columns.flatMap(([metric, values]) => monitor.observe({ metric, step, timeMs: step * 10_000, values, has }));
    },
  };
}

function summarise({ cause, factor }: Slowness, outcomes: readonly Outcome[]): StragglerLine {
  const within = outcomes.filter(({ delay }) => delay >= 1 && delay <= STRAGGLER_GOALS.within).length;
  const share = (count: number): number => Number((count / Math.max(1, outcomes.length)).toFixed(3));
  const delays = outcomes.map(({ delay }) => delay).toSorted((a, b) => a - b);
  const counts = new Map<string, number>();
  for (const { told } of outcomes) counts.set(told, (counts.get(told) ?? 0) + 1);
  return {
    cause,
    factor,
    injected: outcomes.length,
    "found within 10": share(within),
    "found, 95 % from": Number(wilsonInterval(within, outcomes.length).low.toFixed(3)),
    "median delay": Math.min(9_999, delays[delays.length >> 1] ?? 9_999),
    "cause right": share(outcomes.filter((outcome) => outcome.told === cause).length),
    "subject right": share(outcomes.filter(({ subject }) => subject).length),
    told: [...counts].map(([told, count]) => `${told} ${count}`).join(", "),
  };
}
