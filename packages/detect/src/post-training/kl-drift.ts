import { sayInteger, sayRatio, sayValue } from "@trainwatch/core";
import { cusumNext, leastSquaresTrend, median } from "@trainwatch/stats";
import { evidence } from "../finding/make-finding.ts";
import { defineWatch } from "./define-watch.ts";
import type { Level } from "./episode.ts";
import { pushRecent } from "./recent.ts";

const METRIC = "kl";
/** Values whose median is the present, so that one batch is no drift. */
const NEWEST = 5;
/** Values whose trend is the baseline, and those left out between it and the present: a drift that takes a few dozen steps must not become its own baseline. */
const WINDOW = 64;
const LAG = 32;
/** Multiples of the target, where one is told, that are a warning and a page. */
const WARN_MULTIPLE = 2;
const PAGE_MULTIPLE = 5;
/** Steps within which the KL may grow threefold before it pages. */
const SURGE_STEPS = 20;
const SURGE = 3;
/** Below this, and in the first points, a KL is the opening of a run: from nothing to a little it grows manifold in every one of them. */
const OPENING = 0.02;
const OPENING_POINTS = 40;
/** A trend that is left by less than this is no drift, however small its noise. */
const LEAST_EXCESS = Math.log(1.5);
/** Of the CUSUM, as for the loss (detection.md A.3): clip, and k in σ. */
const DESIGN = { k: 1, h: 10, clip: 4 } as const;

interface Signal {
  steps: number[];
  logs: number[];
  raw: number[];
  /** Median of the newest values after each of the newest points, with its step: as far back as a surge is asked about. */
  medians: [step: number, value: number][];
  sum: number;
  seen: number;
}

export const klDrift = defineWatch({
  id: "kl-drift",
  version: 2,
  title: "KL runs away",
  finds: "A policy that leaves its reference faster than before, or farther than it is meant to.",
  source:
    "KL as the distance over which a reward is over-optimised (Gao et al. 2023); CUSUM on log KL, detection.md F.1 and F.3; levels are ours",
  metrics: [METRIC],
  parameters: [
    {
      name: "target",
      value: 0,
      unit: "nats",
      meaning: "KL that the run is meant to keep, as in an adaptive controller; 0: not told",
      least: 0,
      most: 1_000_000,
    },
    { name: "h", value: DESIGN.h, unit: "σ", meaning: "Decision interval of the CUSUM on the log of the KL about its own trend" },
    { name: "opening", value: OPENING, unit: "nats", meaning: "A KL below this is the opening of a run and is not judged by its growth" },
  ],
  fresh: (): Signal => ({ steps: [], logs: [], raw: [], medians: [], sum: 0, seen: 0 }),
  read(rules, signal, { metric, step, value }) {
    if (metric !== METRIC) return null;
    signal.seen++;
    pushRecent(signal.raw, NEWEST, value);
    if (signal.raw.length < NEWEST) return null;
    const now = median(signal.raw);
    const surge = surgeOf(rules.opening, signal, step, now);
    const excess = excessOf(rules.opening, signal, step, value, now);
    const isOff = signal.sum > rules.h && excess !== null && excess > LEAST_EXCESS;
    const multiple = rules.target > 0 ? now / rules.target : null;
    const isFar = multiple !== null && multiple > PAGE_MULTIPLE;
    const level: Level = isFar || surge !== null ? 2 : isOff || (multiple !== null && multiple > WARN_MULTIPLE) ? 1 : 0;
    const before = rules.target > 0 ? rules.target : excess === null ? null : now / Math.exp(excess);
    return { track: METRIC, level, value: now, baseline: surge ?? before, worse: "higher", text: textOf(now, surge, multiple, excess) };
  },
  persistence: () => ({ warn: 3, page: 3, calm: 20 }),
  blind: (_rules, { seen }) => {
    if (seen === 0) return "no KL to the reference is logged";
    return seen < WINDOW + LAG ? `too short: ${seen} points of KL, a trend needs ${WINDOW + LAG}` : null;
  },
  summary: (_rules, { peak, baseline, onsetStep, isCritical }) =>
    `KL to the reference ${isCritical ? "runs away" : "grows faster than before"} since step ${sayInteger(onsetStep)}: up to ${sayValue(peak)}${baseline === null ? "" : ` beside ${sayValue(baseline)}`} nats`,
  against: () => [
    evidence(
      "against",
      "KL grows in every run that learns; a held-out score that still rises says that the distance is worth it",
      null,
      null,
      "detection.md F.1",
    ),
  ],
});

/** What the KL was {@link SURGE_STEPS} ago at most, where it is {@link SURGE} times that now; null where it is not, comes from nothing or is of the opening. */
function surgeOf(opening: number, signal: Signal, step: number, now: number): number | null {
  if (signal.seen <= OPENING_POINTS) return null;
  signal.medians = [...signal.medians.filter(([at]) => at >= step - SURGE_STEPS), [step, now] satisfies [number, number]].slice(
    -2 * SURGE_STEPS,
  );
  const low = Math.min(...signal.medians.map(([, value]) => value));
  return low > opening && now >= SURGE * low ? low : null;
}

/** By how much the log of the KL is above its own power law of the steps; the CUSUM goes on with it. */
function excessOf(opening: number, signal: Signal, step: number, value: number, now: number): number | null {
  if (value <= 0 || now <= opening) {
    signal.sum = 0;
    return null;
  }
  const held = signal.logs.length - LAG;
  let excess: number | null = null;
  if (held >= WINDOW) {
    const steps = signal.steps.slice(0, held);
    const logs = signal.logs.slice(0, held);
    const { intercept, slope } = leastSquaresTrend(steps, logs);
    const sigma = Math.sqrt(logs.reduce((sum, log, at) => sum + (log - intercept - slope * (steps[at] ?? 0)) ** 2, 0) / (held - 2));
    const off = Math.log(value) - intercept - slope * Math.log1p(step);
    // What the trend itself is not sure of, this far beyond its points, is no drift.
    signal.sum = cusumNext(signal.sum, off / Math.max(2 * sigma, 0.02), DESIGN);
    excess = Math.log(now) - intercept - slope * Math.log1p(step);
    // What is off the trend does not become the trend.
    if (signal.sum > DESIGN.h) return excess;
  }
  pushRecent(signal.steps, WINDOW + LAG, Math.log1p(step));
  pushRecent(signal.logs, WINDOW + LAG, Math.log(value));
  return excess;
}

function textOf(now: number, surge: number | null, multiple: number | null, excess: number | null): string {
  if (surge !== null) return `KL has grown from ${sayValue(surge)} to ${sayValue(now)} nats within ${SURGE_STEPS} steps`;
  if (multiple !== null && multiple > 1) return `KL is ${sayValue(now)} nats, ${sayRatio(multiple, 1)} its target`;
  return `KL is ${sayValue(now)} nats${excess === null ? "" : `, ${sayRatio(Math.exp(excess), 1)} what its own growth so far leads to expect`}`;
}
