import { metricEntry, metricWords, sayInteger, sayValue } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { cohortEvidence } from "../cohort-words.ts";
import type { Cohorts } from "../cohorts.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { createPeerScorer } from "../peer-scores.ts";
import type { PeerScorer, StoredPeerScores } from "../peer-scores.ts";
import { rankCoverage } from "../rank-coverage.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { DAY_MS, STEPS_A_DAY } from "../deviation/rules.ts";
import { countExceedance, newTally, pruneTally } from "./tally.ts";
import type { Tally } from "./tally.ts";

export const RARE_PARAMETERS = [
  { name: "z", value: 20, unit: "σ", meaning: "A score beyond this counts" },
  {
    name: "count",
    value: 5,
    unit: "steps",
    meaning: "So many of one sign on one rank within the window are a finding",
    least: 2,
    most: 64,
  },
  { name: "window", value: 1, unit: "days", meaning: "Length of the window; of 8,640 steps where no time is known" },
  { name: "half_life", value: 23, unit: "steps", meaning: "Half-life of the cohort's pooled MAD", least: 4 },
  { name: "offset_rate", value: 0.002, unit: "per step", meaning: "Rate at which a rank's standing offset follows it", most: 0.1 },
  { name: "warm_up", value: 64, unit: "steps", meaning: "Steps of a rank before it is judged", least: 16, most: 4_096 },
  { name: "scale_floor", value: 0.0001, unit: "log units", meaning: "Least scale, beside half a step of the printed grid" },
  {
    name: "crowd",
    value: 0.02,
    unit: "share of the ranks",
    meaning: "More ranks than this (and 8) beyond z at one step are the batch, not a device",
    most: 1,
  },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "rank-rare-faults", version: 1, parameters: RARE_PARAMETERS } as const;
const METRICS = ["loss", "grad_norm"] as const;
const FEW = 8;
/** Steps between two looks for what has left the window. */
const PRUNE_EVERY = 256;
const CLIP = 4;

interface StoredRare {
  layout: string;
  ranks: number;
  scorers: Record<string, StoredPeerScores>;
  seen: Record<string, number>;
  /** Metrics that have been below zero, and have no log. */
  linear: string[];
  tallies: Tally[];
}

const fresh = (): StoredRare => ({ layout: "", ranks: 0, scorers: {}, seen: {}, linear: [], tallies: [] });

interface Watching {
  readonly context: RankContext;
  readonly rules: ReturnType<typeof parametersOf<typeof RARE_PARAMETERS>>;
  readonly layout: RankLayout;
  readonly state: StoredRare;
  readonly scorers: Map<string, PeerScorer>;
  /** By metric, rank and sign. */
  readonly tallies: Map<string, Tally>;
}

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, true);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  const scorers = new Map(Object.entries(state.scorers).map(([metric, scorer]) => [metric, scorerOf(rules, scorer)]));
  const tallies = new Map(state.tallies.map((tally) => [keyOf(tally), tally]));
  const watching: Watching = { context, rules, layout, state, scorers, tallies };
  return {
    observe: (step) => (METRICS.some((metric) => metric === step.metric) ? observe(watching, step) : []),
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () => {
      const packed = Object.fromEntries([...scorers].map(([metric, scorer]) => [metric, scorer.pack()]));
      return storeState(DETECTOR.version, { ...state, scorers: packed, tallies: [...tallies.values()] }, overrides);
    },
    coverage: () =>
      rankCoverage({
        metrics: "loss or gradient norm",
        steps: Object.values(state.seen).map((seen) => ({ seen, judged: Math.max(0, seen - rules.warm_up) })),
        needed: rules.warm_up,
        cohorts: state.ranks === 0 ? null : layout.cohorts(state.ranks),
      }),
  };
}

function scorerOf(rules: Watching["rules"], stored: StoredPeerScores | null): PeerScorer {
  return createPeerScorer(
    { halfLife: rules.half_life, scaleFloor: rules.scale_floor, warmUp: rules.warm_up, offsetRate: rules.offset_rate, clip: CLIP },
    stored,
  );
}

function keyOf({ metric, rank, sign }: Pick<Tally, "metric" | "rank" | "sign">): string {
  return `${metric} ${rank} ${sign}`;
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { rules, layout, state, scorers, tallies } = watching;
  state.ranks = Math.max(state.ranks, step.values.length);
  const cohorts = layout.cohorts(step.values.length);
  const around = { watching, cohorts };
  const left: Finding[] = [];
  if (cohorts.layout !== state.layout) {
    state.layout = cohorts.layout;
    state.seen = {};
    scorers.clear();
    left.push(...leave(around, () => true));
  }
  // A loss below zero (RL) has no log: from there on the metric is judged as it stands, and learned anew.
  if (!state.linear.includes(step.metric) && step.values.some((value) => value < 0 && value !== Number.NEGATIVE_INFINITY)) {
    state.linear.push(step.metric);
    state.seen[step.metric] = 0;
    scorers.delete(step.metric);
    left.push(...leave(around, ({ metric }) => metric === step.metric));
  }
  const seen = (state.seen[step.metric] ?? 0) + 1;
  state.seen[step.metric] = seen;
  if (cohorts.disabled) return left;
  const scorer = scorers.get(step.metric) ?? scorerOf(rules, null);
  scorers.set(step.metric, scorer);
  const isLinear = state.linear.includes(step.metric);
  const scaled = isLinear
    ? step.values
    : step.values.map((value) => (Number.isFinite(value) ? Math.log(Math.max(value, Number.MIN_VALUE)) : value));
  const { z, centre, offset } = scorer.score(scaled, cohorts, NONE_FROZEN);
  const beyond: number[] = [];
  for (let rank = 0; rank < z.length; rank++) if (Math.abs(z[rank] ?? 0) > rules.z) beyond.push(rank);
  const window = { ms: rules.window * DAY_MS, steps: rules.window * STEPS_A_DAY };
  const over =
    seen % PRUNE_EVERY === 0
      ? [...tallies.values()].filter((tally) => tally.metric === step.metric && pruneTally(tally, window, step))
      : [];
  for (const tally of over) tallies.delete(keyOf(tally));
  const ended = [...left, ...over.filter(({ detectedStep }) => detectedStep !== null).map((tally) => rareFinding(around, tally))];
  if (beyond.length > Math.max(FEW, rules.crowd * z.length)) return ended;
  const found = beyond.flatMap((rank) => {
    const score = z[rank] ?? 0;
    const sign = score > 0 ? 1 : -1;
    const key = keyOf({ metric: step.metric, rank, sign });
    const tally = tallies.get(key) ?? newTally(step.metric, rank, sign);
    tallies.set(key, tally);
    const usual = (centre[cohorts.of[rank] ?? -1] ?? Number.NaN) + (offset[rank] ?? Number.NaN);
    const expected = isLinear ? usual : Math.exp(usual);
    const isNews = countExceedance(tally, window, rules.count, step, { z: score, value: step.values[rank] ?? Number.NaN, expected });
    return isNews ? [rareFinding(around, tally)] : [];
  });
  return [...ended, ...found];
}

const NONE_FROZEN = new Uint8Array();

interface Around {
  readonly watching: Watching;
  readonly cohorts: Cohorts;
}

/** Forgets what was counted under another layout or on another scale; what was told of it is not followed any further. */
function leave(around: Around, isLeft: (tally: Tally) => boolean): readonly Finding[] {
  const { tallies } = around.watching;
  const left = [...tallies.values()].filter(isLeft);
  for (const tally of left) tallies.delete(keyOf(tally));
  return left.filter(({ detectedStep }) => detectedStep !== null).map((tally) => rareFinding(around, { ...tally, left: true }));
}

function rareFinding({ watching, cohorts }: Around, tally: Tally & { readonly left?: boolean }): Finding {
  const { context, rules, layout } = watching;
  const { metric, rank, first, peak } = tally;
  const title = metricEntry(metric)?.title ?? metric;
  const words = metricWords(metric, [peak.value, peak.expected]);
  const days = rules.window === 1 ? "a day" : `${rules.window} days`;
  const over = tally.over
    ? `None for ${days} since step ${sayInteger(tally.lastStep)}`
    : tally.left
      ? `Not followed beyond step ${sayInteger(tally.lastStep)}: peers are others since, or values lie on another scale`
      : null;
  return makeFinding(DETECTOR, context, {
    metric,
    subject: { kind: "rank", id: String(rank) },
    severity: "warning",
    state: tally.over ? "recovered" : tally.left ? "shifted" : "ongoing",
    onsetStep: first.step,
    onsetLowerStep: first.step,
    onsetTimeMs: first.timeMs,
    detectedStep: tally.detectedStep ?? tally.lastStep,
    detectedTimeMs: tally.detectedTimeMs,
    peakStep: peak.step,
    endStep: tally.over || tally.left ? tally.lastStep : null,
    shape: "point",
    peakValue: peak.value,
    baselineValue: peak.expected,
    levelShift: null,
    summary: `${title} of rank ${rank} jumped away from its peers ${tally.total} times since step ${sayInteger(first.step)}, by up to ${sayValue(Math.abs(peak.z))} σ, each time for a step${tally.over ? `; none since step ${sayInteger(tally.lastStep)}` : ""}.`,
    evidence: [
      evidence(
        "for",
        `${tally.total} steps beyond ${rules.z} σ of one sign, ${rules.count} of them within ${days}`,
        tally.total,
        "steps",
        "detection.md B.4",
      ),
      evidence(
        "for",
        `At step ${sayInteger(peak.step)} it read ${words.value(peak.value)} where its peers make expect ${words.value(peak.expected)}`,
        peak.z,
        "σ",
        metric,
      ),
      cohortEvidence(cohorts, rank),
      evidence("against", "Single bad batches do this as well: see whether the same batches jump on other ranks or in other runs"),
      ...(over === null ? [] : [evidence("against", over)]),
    ],
    place: layout.placeOf(rank),
    facts: [{ fact: "rank-deviates", value: tally.total }],
  });
}

export const rareFaults = {
  ...DETECTOR,
  title: "Rare jumps of one rank",
  finds:
    "A rank that jumps far away from its peers again and again, on too few steps for a sum to see: a fault that shows on one step in a thousand.",
  source:
    "detection.md B.4: five exceedances of z > 20 on one rank in 24 h; 0.04 a day by chance over both signs of 16,384 ranks × 2 metrics of t4 noise",
  metrics: METRICS,
  create,
} satisfies RankDetectorEntry;
