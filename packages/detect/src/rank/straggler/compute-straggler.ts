import { sayInteger } from "@trainwatch/core";
import type { Evidence, Finding } from "@trainwatch/core";
import { medianInPlace } from "@trainwatch/stats";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { rankCoverage } from "../rank-coverage.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { addPairs, lineOf, newLineSums } from "./load-fit.ts";
import type { Line, LineSums } from "./load-fit.ts";
import { replicaLoads } from "./replica-load.ts";
import { NODE_PARAMETERS, TIME_PARAMETERS } from "./rules.ts";
import type { RankTimeRules } from "./rules.ts";
import { followUnits } from "./slow-units.ts";
import { computeOf, createStepBundler, NO_BUNDLES } from "./step-bundle.ts";
import type { StepBundle, StoredBundles } from "./step-bundle.ts";
import { timeFinding } from "./time-finding.ts";
import type { TimeWords } from "./time-finding.ts";
import { leaveTimeRecord } from "./time-record.ts";
import type { StepFacts, TimeRecord } from "./time-record.ts";
import { createTimeTrack, NEW_TIME_TRACK } from "./time-track.ts";
import type { StoredTimeTrack, TimeTrack } from "./time-track.ts";

const PARAMETERS = [...TIME_PARAMETERS, ...NODE_PARAMETERS] as const;
const DETECTOR = { id: "compute-straggler", version: 1, parameters: PARAMETERS } as const;
const METRICS = ["compute_time", "forward_time", "backward_time", "communication_time", "step_time", "sequence_load"] as const;

type Source = "compute_time" | "step_time";

interface State {
  layout: string;
  ranks: number;
  bundles: StoredBundles;
  /** What is judged: compute; where nobody tells it, the step as the rank took it. */
  source: Source | null;
  load: LineSums;
  /** Forward against backward time of the same rank and step, as logs less the step's median. */
  passes: LineSums;
  track: StoredTimeTrack;
  open: TimeRecord[];
  crowdStep: number | null;
}

const fresh = (): State => ({
  layout: "",
  ranks: 0,
  bundles: NO_BUNDLES,
  source: null,
  load: newLineSums(),
  passes: newLineSums(),
  track: NEW_TIME_TRACK,
  open: [],
  crowdStep: null,
});

/** Steps after which the line of time over load is known well enough to be taken out. */
const LOAD_STEPS = 8;
/** Forward and backward times that go together like this are sequence lengths, not a node (C.4, ByteDance). */
const TOGETHER = 0.9;
/** A rank so far out has no say in the line. */
const SKIP_SCORE = 4;
const CROWD_AGAIN = 1_000;

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, false);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  const bundler = createStepBundler(METRICS, state.bundles);
  const material = Math.log1p(rules.material);
  const watching: Watching = { context, rules, layout, state, material, track: createTimeTrack(rules, material, state.track) };
  return {
    observe: (step) => bundler.take(step).flatMap((bundle) => observe(watching, bundle)),
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () => storeState(DETECTOR.version, { ...state, bundles: bundler.pack(), track: watching.track.pack() }, overrides),
    coverage: () =>
      rankCoverage({
        metrics: "compute time or step time",
        steps: [{ seen: watching.track.recent().steps.length, judged: watching.track.judged() }],
        needed: rules.warm_up,
        cohorts: state.ranks === 0 ? null : layout.cohorts(state.ranks),
      }),
  };
}

interface Watching {
  readonly context: RankContext;
  readonly rules: RankTimeRules;
  readonly layout: RankLayout;
  readonly state: State;
  readonly material: number;
  track: TimeTrack;
}

function observe(watching: Watching, bundle: StepBundle): readonly Finding[] {
  const { rules, layout, state, material } = watching;
  const told = computeOf(bundle);
  const seconds = told ?? (state.source === "compute_time" ? null : bundle.column("step_time"));
  if (seconds === null) return [];
  state.ranks = Math.max(state.ranks, seconds.length);
  const cohorts = layout.cohorts(state.ranks);
  const source: Source = told === null ? "step_time" : "compute_time";
  const left: Finding[] = [];
  if (cohorts.layout !== state.layout || source !== state.source) {
    const words = wordsOf(watching, null);
    for (const record of state.open) left.push(timeFinding(words, { ...watching, cohorts }, leaveTimeRecord(record)));
    Object.assign(state, { layout: cohorts.layout, source, open: [], load: newLineSums(), passes: newLineSums() });
    watching.track = createTimeTrack(rules, material, NEW_TIME_TRACK);
  }
  if (cohorts.disabled) return left;
  const { track } = watching;
  const load = bundle.column("sequence_load");
  const line = load === null ? null : lineOf(state.load);
  if (load !== null && state.load.steps < LOAD_STEPS) {
    // Until the line is known the offsets would learn what it takes out.
    addPairs(state.load, load, seconds, nobody);
    return left;
  }
  const usual = usualOf(seconds, load, line) ?? replicaLoads(seconds, cohorts, layout) ?? new Float64Array(seconds.length).fill(1);
  const scaled = seconds.map((value, rank) => (value > 0 ? Math.log(value / (usual[rank] ?? Number.NaN)) : Number.NaN));
  const frozen = new Uint8Array(state.ranks);
  for (const record of state.open) for (const rank of record.ranks) frozen[rank] = 1;
  const alarms = track.observe(bundle, scaled, cohorts, frozen);
  const isFar = (rank: number): boolean => Math.abs(track.z(rank)) >= SKIP_SCORE;
  if (load !== null) addPairs(state.load, load, seconds, isFar);
  notePasses(state.passes, bundle, isFar);
  const at = factsAt(bundle, seconds, usual, track);
  const around = { track, rules, layout, at, ranks: state.ranks, material, nodeShare: rules.node_share, crowdStep: state.crowdStep };
  const { changed, crowd } = followUnits(around, state.open, alarms);
  const words = wordsOf(watching, line);
  const findings = [...left, ...changed.map((record) => timeFinding(words, { ...watching, cohorts }, record))];
  state.open = state.open.filter((record) => record.state === "ongoing");
  return crowd === null ? findings : [...findings, ...tellCrowd(watching, bundle, crowd)];
}

const nobody = (): boolean => false;

/** Seconds that each rank should take by its load; null where none is told. */
function usualOf(seconds: Float64Array, load: Float64Array | null, line: Line | null): Float64Array | null {
  if (load === null || line === null) return null;
  return seconds.map((_, rank) => {
    const usual = line.intercept + line.slope * (load[rank] ?? Number.NaN);
    return usual > 0 ? usual : Number.NaN;
  });
}

/** How far forward and backward time go together over ranks: what the step has in common is taken out by its median. */
function notePasses(sums: LineSums, bundle: StepBundle, isFar: (rank: number) => boolean): void {
  const forward = bundle.column("forward_time");
  const backward = bundle.column("backward_time");
  if (forward === null || backward === null) return;
  sums.unit = 1;
  addPairs(sums, centredLogs(forward), centredLogs(backward), isFar);
}

function centredLogs(values: Float64Array): Float64Array {
  const logs = values.map((value) => (value > 0 ? Math.log(value) : Number.NaN));
  const centre = medianOf(logs);
  return logs.map((value) => value - centre);
}

function medianOf(values: Float64Array): number {
  const finite = values.filter((value) => Number.isFinite(value));
  return medianInPlace(finite, finite.length);
}

function factsAt({ step, timeMs, column }: StepBundle, seconds: Float64Array, usual: Float64Array, track: TimeTrack): StepFacts {
  const communication = column("communication_time");
  return {
    step,
    timeMs,
    value: (rank) => seconds[rank] ?? Number.NaN,
    expected: (rank) => (usual[rank] ?? 1) * Math.exp(track.expected(rank)),
    waits(rank) {
      if (communication === null) return null;
      const share = (communication[rank] ?? Number.NaN) / medianOf(communication);
      return Number.isFinite(share) ? share : null;
    },
  };
}

function wordsOf({ state, rules }: Watching, line: Line | null): TimeWords {
  const isCompute = state.source === "compute_time";
  return {
    detector: DETECTOR,
    metric: isCompute ? "compute_time" : "step_time",
    what: isCompute ? "Compute of" : "The step of",
    sayExcess: (excess) => `${Math.round(100 * Math.expm1(excess))} % over its peers`,
    facts: (record) => [{ fact: record.kind === "node" ? "node-compute-slow" : "rank-compute-slow", value: Math.exp(record.excess) }],
    evidence: () => loadEvidence(line, lineOf(state.passes), rules),
  };
}

function loadEvidence(line: Line | null, passes: Line | null, rules: RankTimeRules): Evidence[] {
  if (line !== null)
    return [
      evidence(
        "for",
        `Sequence load is taken out: it explains compute time with a correlation of ${line.correlation.toFixed(2)} over all ranks, and not this`,
        line.correlation,
        "correlation",
        "sequence_load",
      ),
    ];
  if (passes !== null && passes.correlation >= TOGETHER)
    return [
      evidence(
        "against",
        `Forward and backward times of all ranks go together (${passes.correlation.toFixed(2)}): sequence lengths vary, and no sequence load is logged to take them out`,
        passes.correlation,
        "correlation",
        "forward_time, backward_time",
      ),
    ];
  return [
    evidence(
      "against",
      `No sequence load is logged: longer sequences on this rank for ${rules.h / (rules.clip - rules.k)} steps or more would look the same`,
      null,
      null,
      "sequence_load",
    ),
  ];
}

function tellCrowd({ context, state }: Watching, { step, timeMs }: StepBundle, crowd: number): readonly Finding[] {
  const before = state.crowdStep;
  state.crowdStep = step;
  if (before !== null && step - before < CROWD_AGAIN) return [];
  return [
    makeFinding(DETECTOR, context, {
      metric: state.source ?? "compute_time",
      severity: "info",
      state: "recovered",
      onsetStep: step,
      onsetLowerStep: step,
      onsetTimeMs: timeMs,
      detectedStep: step,
      detectedTimeMs: timeMs,
      peakStep: step,
      endStep: step,
      shape: "point",
      peakValue: null,
      baselineValue: null,
      levelShift: null,
      summary: `${sayInteger(crowd)} ranks or nodes turned slow at once: no single device.`,
      evidence: [
        evidence("for", `${sayInteger(crowd)} passed the alarm together`, crowd, "units", state.source),
        evidence("against", "Times that scatter more than before look the same as slowness in many places"),
      ],
      facts: [{ fact: "all-ranks-move", value: crowd / Math.max(1, state.ranks) }],
    }),
  ];
}

export const computeStraggler = {
  ...DETECTOR,
  title: "Slow rank or node",
  finds: "A rank, or a node with all its ranks, whose compute takes longer than that of its peers at the same sequence load.",
  source:
    "detection.md C.4 (slow from 1.10 on) decided by the CUSUM of B.4; load taken out as ResiHP does, by the sum of squared lengths; 0.002 a day by chance over 16,384 ranks of t4 noise",
  metrics: METRICS,
  create,
} satisfies RankDetectorEntry;
