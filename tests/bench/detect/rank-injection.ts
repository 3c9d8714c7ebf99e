import type { Finding, RankPlacement } from "@trainwatch/core";
import { RANK_DETECTORS, rankMonitorOf, type RankMonitor } from "@trainwatch/detect";
import { quantile, wilsonInterval } from "@trainwatch/stats";
import { heavyNoise, layoutOf, softNoise, uniformNoise } from "./rank-noise.ts";

/** detection.md L.3. Delays in steps at the median. */
export const RANK_GOALS = { constant: 8, intermittent: 60, deviceRight: 0.99 } as const;

interface Fault {
  readonly name: string;
  readonly sigma: number;
  /** Share of the steps on which it shows. */
  readonly share: number;
  readonly steps: number;
}

const FAULTS: readonly Fault[] = [
  { name: "3 σ, all steps", sigma: 3, share: 1, steps: 400 },
  { name: "5 σ, all steps", sigma: 5, share: 1, steps: 200 },
  { name: "5 σ, half of the steps", sigma: 5, share: 0.5, steps: 400 },
  { name: "5 σ, 30 % of the steps", sigma: 5, share: 0.3, steps: 600 },
  { name: "−5 σ, all steps", sigma: -5, share: 1, steps: 200 },
  { name: "40 σ, 0.2 % of the steps", sigma: 40, share: 0.002, steps: 6_000 },
];

export interface RankInjectionLine extends Readonly<Record<string, string | number>> {
  readonly fault: string;
  readonly injected: number;
  readonly found: number;
  readonly "found, 95 % from": number;
  readonly "median delay": number;
  readonly "p90 delay": number;
  readonly "device right": number;
  readonly "median delay of the page": number;
  readonly "onset error p90": number;
  readonly "lower end before": number;
}

const BEFORE = 600;
const LAYOUT = { dp: 32, tp: 4, pp: 1 } as const;

/** Silent errors of known size on one rank's gradient norm, among offsets, common mode and t4 noise. @param trials of each fault */
export function injectRankFaults(trials: number): readonly RankInjectionLine[] {
  const placements = layoutOf(LAYOUT);
  return FAULTS.map((fault) => {
    // Rare faults need many steps each and few trials show them.
    const count = fault.share < 0.01 ? Math.max(4, Math.round(trials / 8)) : trials;
    return summarise(
      fault,
      Array.from({ length: count }, (_, trial) => inject(placements, fault, 1_000 + trial)),
    );
  });
}

export function rankGoalsMet(lines: readonly RankInjectionLine[]): boolean {
  const constant = lines.find(({ fault }) => fault === "5 σ, all steps");
  const some = lines.find(({ fault }) => fault === "5 σ, 30 % of the steps");
  const rare = lines.find(({ fault }) => fault.startsWith("40 σ"));
  if (constant === undefined || some === undefined || rare === undefined) return false;
  const soon = constant["median delay"] <= RANK_GOALS.constant && some["median delay"] <= RANK_GOALS.intermittent && rare.found >= 0.9;
  return soon && lines.every((line) => line["device right"] >= RANK_GOALS.deviceRight);
}

interface Outcome {
  readonly delay: number;
  readonly pageDelay: number;
  readonly named: boolean | null;
  readonly onsetError: number | null;
  readonly lowerBefore: boolean | null;
}

function inject(placements: readonly RankPlacement[], fault: Fault, seed: number): Outcome {
  const world = createWorld(placements, seed);
  const monitor = rankMonitorOf(RANK_DETECTORS, { run: "bench/rank", attempt: "a1", placements });
  const pick = uniformNoise(seed + 7);
  const sick = Math.floor(pick() * placements.length);
  let found: Finding | null = null;
  let pageStep: number | null = null;
  let first = Number.NaN;
  for (let step = 0; step < BEFORE + fault.steps; step++) {
    const shows = step >= BEFORE && (step === BEFORE || pick() < fault.share);
    if (shows && Number.isNaN(first)) first = step;
    for (const finding of world.feed(monitor, step, shows ? { rank: sick, sigma: fault.sigma } : null)) {
      if (finding.severity === "info") continue;
      found ??= finding;
      if (finding.severity === "critical") pageStep ??= step;
    }
    if (pageStep !== null) break;
  }
  if (found === null)
    return { delay: Number.POSITIVE_INFINITY, pageDelay: Number.POSITIVE_INFINITY, named: null, onsetError: null, lowerBefore: null };
  return {
    delay: (found.detectedStep ?? 0) - BEFORE + 1,
    pageDelay: pageStep === null ? Number.POSITIVE_INFINITY : pageStep - BEFORE + 1,
    named: found.subject.kind === "rank" && found.subject.id === String(sick) && (found.detectedStep ?? 0) >= BEFORE,
    onsetError: Math.abs((found.onsetStep ?? 0) - first),
    lowerBefore: (found.onsetLowerStep ?? 0) <= first,
  };
}

interface World {
  feed(monitor: RankMonitor, step: number, sick: { readonly rank: number; readonly sigma: number } | null): readonly Finding[];
}

/** Loss and gradient norm of each rank: what the batch has in common, a standing offset, t4 noise; on one rank-step in 640 a batch of 8 to 20 σ (detection.md B.5). */
export function createWorld(placements: readonly RankPlacement[], seed: number): World {
  const noise = heavyNoise(seed);
  const soft = softNoise(seed + 1);
  const uniform = uniformNoise(seed + 2);
  const ranks = placements.length;
  const offsets = Float64Array.from({ length: 2 * ranks }, () => soft());
  const has = new Uint8Array(ranks).fill(1);
  return {
    feed: (monitor, step, sick) =>
      (["loss", "grad_norm"] as const).flatMap((metric, index) => {
        const sigma = index === 0 ? 0.02 : 0.1;
        const common = 0.5 + 3 * sigma * soft();
        const values = Float64Array.from({ length: ranks }, (_, rank) => {
          const batch = index === 0 && uniform() < 1 / 640 ? 8 + 12 * uniform() : 0;
          const fault = sick !== null && sick.rank === rank && index === 1 ? sick.sigma : 0;
          return Math.exp(common + sigma * ((offsets[index * ranks + rank] ?? 0) + noise() + batch + fault));
        });
        return monitor.observe({ metric, step, timeMs: step * 10_000, values, has });
      }),
  };
}

function summarise({ name }: Fault, outcomes: readonly Outcome[]): RankInjectionLine {
  const found = outcomes.filter(({ named }) => named !== null);
  const right = found.filter(({ named }) => named === true);
  const errors = found.flatMap(({ onsetError }) => onsetError ?? []);
  const share = (count: number, of: number): number => Number((count / Math.max(1, of)).toFixed(3));
  return {
    fault: name,
    injected: outcomes.length,
    found: share(found.length, outcomes.length),
    "found, 95 % from": Number(wilsonInterval(found.length, outcomes.length).low.toFixed(3)),
    "median delay": at(
      outcomes.map(({ delay }) => delay),
      0.5,
    ),
    "p90 delay": at(
      outcomes.map(({ delay }) => delay),
      0.9,
    ),
    "device right": share(right.length, found.length),
    "median delay of the page": at(
      outcomes.map(({ pageDelay }) => pageDelay),
      0.5,
    ),
    "onset error p90": errors.length === 0 ? -1 : Number(quantile(errors, 0.9).toFixed(1)),
    "lower end before": share(found.filter(({ lowerBefore }) => lowerBefore === true).length, found.length),
  };
}

/** Upper order statistic: Infinity sorts last, so what was never found counts; JSON has no Infinity, 9999 stands for never. */
function at(delays: readonly number[], share: number): number {
  const sorted = delays.toSorted((a, b) => a - b);
  return Math.min(9_999, sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 9_999);
}
