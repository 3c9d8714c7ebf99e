import { sayValue } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import { medianInPlace } from "@trainwatch/stats";
import { evidence } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { newPaceState, observePace, PACE_PARAMETERS, paceRules } from "../../step-time/pace.ts";
import type { PaceRules, PaceState } from "../../step-time/pace.ts";
import { rankCoverage } from "../rank-coverage.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { NODE_PARAMETERS, TIME_PARAMETERS } from "./rules.ts";
import type { RankTimeRules } from "./rules.ts";
import { paceFinding } from "./run-pace.ts";
import type { PaceWords } from "./run-pace.ts";
import { followUnits } from "./slow-units.ts";
import { computeOf, createStepBundler, NO_BUNDLES } from "./step-bundle.ts";
import type { StepBundle, StoredBundles } from "./step-bundle.ts";
import { timeFinding } from "./time-finding.ts";
import type { TimeWords } from "./time-finding.ts";
import { leaveTimeRecord } from "./time-record.ts";
import type { StepFacts, TimeRecord } from "./time-record.ts";
import { createTimeTrack, NEW_TIME_TRACK } from "./time-track.ts";
import type { StoredTimeTrack, TimeTrack } from "./time-track.ts";

const PARAMETERS = [...TIME_PARAMETERS, ...NODE_PARAMETERS, ...PACE_PARAMETERS] as const;
const DETECTOR = { id: "data-wait", version: 2, parameters: PARAMETERS } as const;
const METRICS = ["data_time", "step_time", "compute_time", "communication_time", "forward_time", "backward_time"] as const;

interface State {
  layout: string;
  ranks: number;
  bundles: StoredBundles;
  track: StoredTimeTrack;
  pace: PaceState;
  open: TimeRecord[];
  crowdStep: number | null;
}

const fresh = (): State => ({
  layout: "",
  ranks: 0,
  bundles: NO_BUNDLES,
  track: NEW_TIME_TRACK,
  pace: newPaceState(),
  open: [],
  crowdStep: null,
});

interface Watching {
  readonly context: RankContext;
  readonly rules: RankTimeRules;
  readonly pace: PaceRules;
  readonly layout: RankLayout;
  readonly state: State;
  track: TimeTrack;
}

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, false);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  const bundler = createStepBundler(METRICS, state.bundles);
  const track = createTimeTrack(rules, rules.material, state.track);
  const watching: Watching = { context, rules, pace: paceRules(rules), layout, state, track };
  return {
    observe: (step) => bundler.take(step).flatMap((bundle) => observe(watching, bundle)),
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () => storeState(DETECTOR.version, { ...state, bundles: bundler.pack(), track: watching.track.pack() }, overrides),
    coverage: () =>
      rankCoverage({
        metrics: "wait for data, beside a step or compute time,",
        steps: [{ seen: watching.track.recent().steps.length, judged: watching.track.judged() }],
        needed: rules.warm_up,
        cohorts: state.ranks === 0 ? null : layout.cohorts(state.ranks),
      }),
  };
}

/** Waiting counts by the share of the step it takes: a millisecond more of nothing is nothing. */
function observe(watching: Watching, bundle: StepBundle): readonly Finding[] {
  const { rules, layout, state } = watching;
  const waits = bundle.column("data_time");
  const seconds = waits === null ? null : stepSeconds(bundle);
  if (waits === null || seconds === null) return [];
  state.ranks = Math.max(state.ranks, waits.length);
  const cohorts = layout.cohorts(state.ranks);
  const left: Finding[] = [];
  if (cohorts.layout !== state.layout) {
    for (const record of state.open) left.push(timeFinding(WORDS, { ...watching, cohorts }, leaveTimeRecord(record)));
    Object.assign(state, { layout: cohorts.layout, open: [] });
    watching.track = createTimeTrack(rules, rules.material, NEW_TIME_TRACK);
  }
  const shares = waits.map((wait) => wait / seconds);
  const all = [...left, ...paced(watching, bundle, medianOf(shares))];
  if (cohorts.disabled) return all;
  const { track } = watching;
  const frozen = new Uint8Array(state.ranks);
  for (const record of state.open) for (const rank of record.ranks) frozen[rank] = 1;
  const alarms = track.observe(bundle, shares, cohorts, frozen);
  const at: StepFacts = {
    step: bundle.step,
    timeMs: bundle.timeMs,
    value: (rank) => waits[rank] ?? Number.NaN,
    expected: (rank) => Math.max(0, track.expected(rank) * seconds),
    waits: () => null,
  };
  const { changed, crowd } = followUnits(
    { track, rules, layout, at, ranks: state.ranks, material: rules.material, nodeShare: rules.node_share, crowdStep: state.crowdStep },
    state.open,
    alarms,
  );
  if (crowd !== null) state.crowdStep = bundle.step;
  const findings = changed.map((record) => timeFinding(WORDS, { ...watching, cohorts }, record));
  state.open = state.open.filter((record) => record.state === "ongoing");
  return [...all, ...findings];
}

/** Median seconds of the step: as told, else compute and communication together. */
function stepSeconds(bundle: StepBundle): number | null {
  const told = bundle.column("step_time") ?? computeOf(bundle);
  if (told === null) return null;
  const communication = bundle.column("step_time") === null ? bundle.column("communication_time") : null;
  const seconds = medianOf(communication === null ? told : told.map((value, rank) => value + (communication[rank] ?? 0)));
  return seconds > 0 ? seconds : null;
}

function medianOf(values: Float64Array): number {
  const finite = values.filter((value) => Number.isFinite(value));
  return medianInPlace(finite, finite.length);
}

/** All ranks together against before: one plus the share, so that a ratio of 1.10 is a tenth of the step more. */
function paced({ context, state, pace }: Watching, { step, timeMs }: StepBundle, share: number): readonly Finding[] {
  return observePace(state.pace, { step, timeMs, value: 1 + share }, pace).map((stretch) => paceFinding(RUN_WORDS, context, pace, stretch));
}

const sayShare = (excess: number): string => `${Math.round(100 * excess)} % of a step more than its peers`;

const WORDS: TimeWords = {
  detector: DETECTOR,
  metric: "data_time",
  what: "Data for",
  sayExcess: sayShare,
  facts: (record) => [{ fact: "data-wait", value: record.excess }],
  evidence: () => [
    evidence(
      "against",
      "It says that the data came late, not why: storage, the loader's processes or the network may be slow",
      null,
      null,
      "data_time",
    ),
  ],
};

const RUN_WORDS: PaceWords = {
  detector: DETECTOR,
  metric: "data_time",
  severity: "warning",
  what: "All ranks wait for data",
  say: (value) => `${sayValue(100 * Math.max(0, value - 1))} % of the step`,
  facts: (stretch) => [{ fact: "data-wait", value: stretch.highestRatio * stretch.baseline - 1 }],
  evidence: () => [
    evidence(
      "against",
      "It says that the data came late, not why: storage, the loader's processes or the network may be slow",
      null,
      null,
      "data_time",
    ),
  ],
};

export const dataWait = {
  ...DETECTOR,
  title: "Waiting for data",
  finds: "A rank, a node or a whole run that waits for its data for a tenth of the step longer than its peers, or than before.",
  source: "detection.md C.4: slow from 1.10 on, by operation; one rank by the CUSUM of B.4, the run by five in a row or the median of ten",
  metrics: METRICS,
  create,
} satisfies RankDetectorEntry;
