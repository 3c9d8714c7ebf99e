import type { Finding } from "@trainwatch/core";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { makeFinding, evidence } from "../../finding/make-finding.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { rankCoverage } from "../rank-coverage.ts";
import { deviationFinding } from "./finding.ts";
import { followRecord, openRecord } from "./record.ts";
import type { DeviationRecord } from "./record.ts";
import { DAY_MS, DEVIATION_PARAMETERS, STEPS_A_DAY } from "./rules.ts";
import type { DeviationRules } from "./rules.ts";
import { createDeviationTrack, NEW_TRACK } from "./track.ts";
import type { DeviationAlarm, DeviationTrack, StoredTrack } from "./track.ts";

const DETECTOR = { id: "rank-deviation", version: 1, parameters: DEVIATION_PARAMETERS } as const;
const METRICS = ["loss", "grad_norm"] as const;

interface Closed {
  readonly rank: number;
  readonly step: number;
  readonly timeMs: number | null;
}

interface StoredDeviation {
  layout: string;
  /** The largest rank seen plus one. */
  ranks: number;
  tracks: Record<string, StoredTrack>;
  open: DeviationRecord[];
  /** Ends of excursions, newest last. */
  closed: Closed[];
  /** Step at which many ranks deviated at once, by metric. */
  crowds: Record<string, number>;
}

const fresh = (): StoredDeviation => ({ layout: "", ranks: 0, tracks: {}, open: [], closed: [], crowds: {} });

/** Excursions remembered for a second alarm on the same rank, and ranks that may always deviate at once. */
const CLOSED_REMEMBERED = 256;
const FEW = 8;
/** Alarms of one cause come within so many steps of each other; a crowd is told of once in so many. */
const TOGETHER = 64;
const CROWD_AGAIN = 1_000;

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, true);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  const tracks = new Map(Object.entries(state.tracks).map(([metric, track]) => [metric, createDeviationTrack(rules, track)]));
  return {
    observe(step) {
      if (!METRICS.some((metric) => metric === step.metric)) return [];
      return observe({ context, rules, layout, state, tracks }, step);
    },
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () =>
      storeState(
        DETECTOR.version,
        { ...state, tracks: Object.fromEntries([...tracks].map(([metric, track]) => [metric, track.pack()])) },
        overrides,
      ),
    coverage: () =>
      rankCoverage({
        metrics: "loss or gradient norm",
        steps: [...tracks.values()].map((track) => ({ seen: track.recent().steps.length, judged: track.judgedSteps() })),
        needed: rules.warm_up,
        cohorts: state.ranks === 0 ? null : layout.cohorts(state.ranks),
      }),
  };
}

interface Watching {
  readonly context: RankContext;
  readonly rules: DeviationRules;
  readonly layout: RankLayout;
  readonly state: StoredDeviation;
  readonly tracks: Map<string, DeviationTrack>;
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { rules, layout, state, tracks } = watching;
  state.ranks = Math.max(state.ranks, step.values.length);
  const cohorts = layout.cohorts(step.values.length);
  const left = cohorts.layout === state.layout ? [] : moveTo(watching, cohorts.layout, step);
  let track = tracks.get(step.metric);
  if (track === undefined) {
    track = createDeviationTrack(rules, NEW_TRACK);
    tracks.set(step.metric, track);
  }
  if (cohorts.disabled) return left;
  const frozen = new Uint8Array(step.values.length);
  for (const record of state.open) if (record.metric === step.metric) frozen[record.rank] = 1;
  const { scores, alarms } = track.observe(step, cohorts, frozen);
  const scoreOf = (rank: number) => ({ z: scores.z[rank] ?? Number.NaN, expected: track.expected(rank, cohorts.of[rank] ?? -1) });
  const changed = new Set<DeviationRecord>();
  for (const record of state.open) {
    if (record.metric === step.metric && followRecord(record, track, rules, step, scoreOf(record.rank))) changed.add(record);
  }
  const crowd = takeAlarms(
    watching,
    track,
    step,
    alarms.filter(({ rank }) => frozen[rank] !== 1),
    scores.z,
    scoreOf,
    changed,
  );
  const findings = [...changed].map((record) => deviationFinding({ detector: DETECTOR, cohorts, ...watching, open: state.open }, record));
  for (const record of state.open) if (record.state !== "ongoing" && record.metric === step.metric) close(state, track, record, step);
  state.open = state.open.filter((record) => record.state === "ongoing");
  return [...left, ...findings, ...crowd];
}

/** New excursions into `changed`; findings on the run where too many ranks deviate at once for any one to be at fault. */
function takeAlarms(
  watching: Watching,
  track: DeviationTrack,
  step: RankStep,
  alarms: readonly DeviationAlarm[],
  z: Float32Array,
  scoreOf: (rank: number) => { readonly z: number; readonly expected: number },
  changed: Set<DeviationRecord>,
): readonly Finding[] {
  if (alarms.length === 0) return [];
  const { rules, state } = watching;
  const judged = z.reduce((sum, score) => sum + (Number.isNaN(score) ? 0 : 1), 0);
  const open = state.open.filter((record) => record.metric === step.metric);
  const recent = open.filter((record) => step.step - record.detectedStep <= TOGETHER);
  const together = alarms.length + recent.length;
  const crowdStep = state.crowds[step.metric];
  const isLate = crowdStep !== undefined && step.step - crowdStep <= TOGETHER;
  if (isLate || together > Math.min(judged / 4, Math.max(FEW, rules.crowd * judged))) {
    const share = together / judged;
    for (const { rank } of alarms) {
      track.reset(rank);
      // Where so many stand now is where they belong.
      track.forget(rank);
    }
    for (const record of recent) {
      record.crowd = share;
      changed.add(record);
    }
    return isLate ? [] : tellCrowd(watching, step, together, judged);
  }
  for (const alarm of alarms) {
    const record = openRecord(track, rules, step, alarm, { ...scoreOf(alarm.rank), againAfter: earlierOn(state, rules, alarm.rank, step) });
    state.open.push(record);
    changed.add(record);
  }
  return [];
}

/** The end of an excursion of the same rank, where it was not long ago. */
function earlierOn(state: StoredDeviation, rules: DeviationRules, rank: number, { step, timeMs }: RankStep): number | null {
  const before = state.closed.findLast((closed) => closed.rank === rank);
  if (before === undefined) return null;
  const isNear =
    timeMs !== null && before.timeMs !== null
      ? timeMs - before.timeMs <= rules.again * DAY_MS
      : step - before.step <= rules.again * STEPS_A_DAY;
  return isNear ? before.step : null;
}

function close(state: StoredDeviation, track: DeviationTrack, record: DeviationRecord, step: RankStep): void {
  track.reset(record.rank);
  if (record.state === "shifted") track.forget(record.rank);
  // The other metric of one excursion is no second one.
  const isOver = record.crowd === null && !state.open.some((one) => one !== record && one.rank === record.rank);
  if (isOver) state.closed.push({ rank: record.rank, step: record.endStep ?? step.step, timeMs: step.timeMs });
  if (state.closed.length > CLOSED_REMEMBERED) state.closed.shift();
}

/** Under another layout nothing that was learned holds. Excursions that were open are not followed any further. */
function moveTo(watching: Watching, layout: string, step: RankStep): readonly Finding[] {
  const { state, tracks } = watching;
  const cohorts = watching.layout.cohorts(step.values.length);
  const left = state.open.map((record) => {
    record.state = "shifted";
    record.endStep = record.lastFarStep;
    return deviationFinding({ detector: DETECTOR, cohorts, ...watching, open: state.open }, record);
  });
  state.layout = layout;
  state.open = [];
  tracks.clear();
  return left;
}

function tellCrowd({ context, state }: Watching, step: RankStep, together: number, judged: number): readonly Finding[] {
  const before = state.crowds[step.metric];
  state.crowds[step.metric] = step.step;
  if (before !== undefined && step.step - before < CROWD_AGAIN) return [];
  const percent = (100 * together) / judged;
  return [
    makeFinding(DETECTOR, context, {
      metric: step.metric,
      severity: "info",
      state: "recovered",
      onsetStep: step.step,
      onsetLowerStep: step.step,
      onsetTimeMs: step.timeMs,
      detectedStep: step.step,
      detectedTimeMs: step.timeMs,
      peakStep: step.step,
      endStep: step.step,
      shape: "point",
      peakValue: null,
      baselineValue: null,
      levelShift: null,
      summary: `${together} of ${judged} ranks deviate from their peers at once: no single device.`,
      evidence: [
        evidence(
          "for",
          `${percent.toFixed(1)} % of the ranks passed the alarm within ${TOGETHER} steps`,
          together / judged,
          "share of the ranks",
          step.metric,
        ),
        evidence("against", "Peers that scatter more than before look the same as faults in many places"),
      ],
      facts: [{ fact: "all-ranks-move", value: together / judged }],
    }),
  ];
}

export const rankDeviation = {
  ...DETECTOR,
  title: "Rank deviates from its peers",
  finds:
    "A rank whose loss or gradient norm, before the all-reduce, lies away from its data-parallel peers step after step: what a GPU that computes wrongly looks like.",
  source:
    "detection.md B.4: cohort median, pooled MAD, standing offset, two winsorised CUSUMs; by the Markov chain of Brook & Evans 1972, 0.056 tickets and 1e-6 pages a day by chance over 16,384 ranks × 6 metrics of t4 noise",
  metrics: METRICS,
  create,
} satisfies RankDetectorEntry;
