import { metricEntry, metricWords, sayInteger } from "@trainwatch/core";
import type { Evidence, Finding, Severity } from "@trainwatch/core";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { earliestStep } from "../../series/earliest-step.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";

const PARAMETERS = [
  {
    name: "few",
    value: 8,
    unit: "ranks",
    meaning: "So many at once are still named one by one: the tensor ranks of a replica share their NaN",
  },
  { name: "crowd", value: 0.02, unit: "share of the ranks", meaning: "Or so many of a large run", most: 0.5 },
  { name: "finite_again", value: 8, unit: "steps", meaning: "Finite values in a row after which the rank counts as finite again" },
  { name: "infinite_again", value: 1_000, unit: "steps", meaning: "A second infinite norm on the same rank within this pages" },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "rank-non-finite", version: 1, parameters: PARAMETERS } as const;
const METRICS = ["loss", "grad_norm"] as const;

/** JSON-safe. */
interface BadRank {
  readonly metric: string;
  readonly rank: number;
  readonly firstStep: number;
  readonly firstTimeMs: number | null;
  readonly lowerStep: number;
  lastStep: number;
  count: number;
  notANumber: number;
  finiteSince: number;
  /** Ranks that were finite at the first of these steps, and their median value. */
  readonly finitePeers: number;
  readonly peerValue: number | null;
  /** The step at which most ranks were not finite any more. */
  spreadStep: number | null;
}

interface State {
  seen: number;
  lastStep: Record<string, number>;
  open: BadRank[];
  /** Steps of infinite norms that are over, by rank. */
  overflows: Record<string, number>;
}

const fresh = (): State => ({ seen: 0, lastStep: {}, open: [], overflows: {} });

interface Watching {
  readonly context: RankContext;
  readonly rules: ReturnType<typeof parametersOf<typeof PARAMETERS>>;
  readonly layout: RankLayout;
  readonly state: State;
}

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, false);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  return {
    observe: (step) => (METRICS.some((metric) => metric === step.metric) ? observe({ context, rules, layout, state }, step) : []),
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () => storeState(DETECTOR.version, state, overrides),
    coverage: () => (state.seen === 0 ? { sees: false, why: "no loss or gradient norm is logged by rank" } : { sees: true, why: null }),
  };
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { rules, state } = watching;
  const previous = state.lastStep[step.metric];
  state.lastStep[step.metric] = step.step;
  state.seen++;
  const bad: number[] = [];
  let reporting = 0;
  for (let rank = 0; rank < step.values.length; rank++) {
    if (step.has[rank] !== 1) continue;
    reporting++;
    if (!Number.isFinite(step.values[rank] ?? Number.NaN)) bad.push(rank);
  }
  const own = state.open.filter(({ metric }) => metric === step.metric);
  if (bad.length === 0 && own.length === 0) return [];
  const changed = new Set<BadRank>();
  const spread = bad.length * 2 > reporting;
  for (const record of own) if (follow(record, step, spread, rules.finite_again)) changed.add(record);
  // Non-finite on all ranks is the run's matter, not a rank's; and on half of them nobody is the odd one out.
  const named = !spread && bad.length * 2 < reporting && bad.length <= Math.max(rules.few, rules.crowd * reporting);
  const known = new Set(own.map(({ rank }) => rank));
  for (const rank of named ? bad.filter((one) => !known.has(one)) : []) {
    const record = openBad(step, rank, earliestStep(previous, step.step), reporting - bad.length);
    state.open.push(record);
    changed.add(record);
  }
  const findings = [...changed].map((record) => finding(watching, record));
  for (const record of changed) {
    if (record.finiteSince < rules.finite_again) continue;
    if (record.metric === "grad_norm" && record.notANumber === 0) state.overflows[String(record.rank)] = record.lastStep;
  }
  state.open = state.open.filter(({ finiteSince }) => finiteSince < rules.finite_again);
  for (const [rank, at] of Object.entries(state.overflows)) if (step.step - at > rules.infinite_again) delete state.overflows[rank];
  return findings;
}

function openBad(step: RankStep, rank: number, lowerStep: number, finitePeers: number): BadRank {
  const finite = step.values.filter((value) => Number.isFinite(value)).sort();
  return {
    metric: step.metric,
    rank,
    firstStep: step.step,
    firstTimeMs: step.timeMs,
    lowerStep,
    lastStep: step.step,
    count: 1,
    notANumber: Number.isNaN(step.values[rank] ?? Number.NaN) ? 1 : 0,
    finiteSince: 0,
    finitePeers,
    peerValue: finite[finite.length >> 1] ?? null,
    spreadStep: null,
  };
}

/** One more step of a rank that was not finite; whether that is worth telling. */
function follow(record: BadRank, step: RankStep, spread: boolean, finiteAgain: number): boolean {
  if (step.has[record.rank] !== 1) return false;
  const value = step.values[record.rank] ?? Number.NaN;
  if (Number.isFinite(value)) {
    record.finiteSince++;
    return record.finiteSince === finiteAgain;
  }
  const hasSpread = spread && record.spreadStep === null;
  if (hasSpread) record.spreadStep = step.step;
  record.count++;
  if (Number.isNaN(value)) record.notANumber++;
  record.lastStep = step.step;
  record.finiteSince = 0;
  return hasSpread || (record.count & (record.count - 1)) === 0;
}

/** An infinite norm once may be what fp16 loss scaling is made for; anything else on one rank alone pages. */
function severityOf({ state }: Watching, record: BadRank): Severity {
  const overflow = record.metric === "grad_norm" && record.notANumber === 0;
  return overflow && record.count === 1 && state.overflows[String(record.rank)] === undefined ? "warning" : "critical";
}

function finding(watching: Watching, record: BadRank): Finding {
  const title = metricEntry(record.metric)?.title ?? record.metric;
  const isOver = record.finiteSince >= watching.rules.finite_again;
  const value = record.notANumber > 0 ? "NaN" : "infinite";
  return makeFinding(DETECTOR, watching.context, {
    metric: record.metric,
    subject: { kind: "rank", id: String(record.rank) },
    severity: severityOf(watching, record),
    state: isOver ? "recovered" : "non-finite",
    onsetStep: record.firstStep,
    onsetLowerStep: record.lowerStep,
    onsetTimeMs: record.firstTimeMs,
    detectedStep: record.firstStep,
    detectedTimeMs: record.firstTimeMs,
    peakStep: record.firstStep,
    endStep: isOver ? record.lastStep : null,
    shape: "jump",
    peakValue: record.notANumber > 0 ? Number.NaN : Number.POSITIVE_INFINITY,
    baselineValue: record.peerValue,
    levelShift: null,
    summary: `${title} of rank ${record.rank} was ${value} at step ${sayInteger(record.firstStep)} while ${sayInteger(record.finitePeers)} other ranks were finite${isOver ? `; finite again after step ${sayInteger(record.lastStep)}` : ""}.`,
    evidence: evidenceOf(watching, record),
    place: watching.layout.placeOf(record.rank),
    facts: [
      { fact: "non-finite", value: record.count },
      { fact: "rank-deviates", value: record.count },
    ],
  });
}

function evidenceOf({ layout, state }: Watching, record: BadRank): Evidence[] {
  const { metric } = record;
  const list = [
    evidence("for", `${sayInteger(record.finitePeers)} ranks were finite at the same step`, record.finitePeers, "ranks", metric),
    evidence(
      "for",
      `Not finite on ${sayInteger(record.count)} steps, NaN on ${sayInteger(record.notANumber)} of them`,
      record.count,
      "steps",
      metric,
    ),
  ];
  if (record.peerValue !== null)
    list.push(
      evidence(
        "neutral",
        `The median of its peers was ${metricWords(metric, [record.peerValue]).value(record.peerValue)}`,
        record.peerValue,
        null,
        metric,
      ),
    );
  if (record.spreadStep !== null)
    list.push(
      evidence(
        "for",
        `From step ${sayInteger(record.spreadStep)} on most ranks were not finite: it spread from here`,
        record.spreadStep,
        "step",
        metric,
      ),
    );
  const overflow = state.overflows[String(record.rank)];
  if (overflow !== undefined)
    list.push(evidence("for", `Its norm was infinite before, at step ${sayInteger(overflow)}`, overflow, "step", metric));
  const dp = layout.placement(record.rank)?.dp ?? null;
  const mates = state.open.filter((one) => one !== record && one.metric === metric && dp !== null && layout.placement(one.rank)?.dp === dp);
  if (mates.length > 0)
    list.push(
      evidence(
        "against",
        `${mates.length} other ranks of its replica were not finite either: any of them may be the first`,
        mates.length,
        "ranks",
        metric,
      ),
    );
  if (record.metric === "grad_norm" && record.notANumber === 0)
    list.push(evidence("against", "fp16 loss scaling overflows on purpose: it skips such a step and lowers the scale"));
  if (record.finiteSince > 0)
    list.push(evidence("against", `Finite on the ${sayInteger(record.finiteSince)} steps since`, record.finiteSince, "steps", metric));
  list.push(evidence("against", "A sample that overflows, such as an empty one, makes one rank non-finite without a fault of its GPU"));
  return list;
}

export const rankNonFinite = {
  ...DETECTOR,
  title: "One rank is not finite",
  finds: "NaN or infinite loss or gradient norm on one rank while its peers are finite: the rank from which it spreads.",
  source: "detection.md finding 10 (a NaN takes 4,289 s to locate in ByteRobust), B.2.3, A.4",
  metrics: METRICS,
  parameters: PARAMETERS,
  create,
} satisfies RankDetectorEntry;
