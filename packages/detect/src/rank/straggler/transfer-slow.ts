import { sayInteger, sayValue } from "@trainwatch/core";
import type { Finding, RankPlacement } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { newPaceState, observePace, PACE_PARAMETERS, paceRules } from "../../step-time/pace.ts";
import type { PaceRules, PaceState } from "../../step-time/pace.ts";
import { LEAST_PEERS } from "../cohorts.ts";
import type { Cohorts } from "../cohorts.ts";
import { sayRanks } from "../cohort-words.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { replicaGroupsOf } from "../replica/replica-groups.ts";
import type { ReplicaGroups } from "../replica/replica-groups.ts";
import { TIME_PARAMETERS } from "./rules.ts";
import type { TimeRules } from "./rules.ts";
import { paceFinding } from "./run-pace.ts";
import { followUnits } from "./slow-units.ts";
import { leaveTimeRecord } from "./time-record.ts";
import type { StepFacts, TimeRecord } from "./time-record.ts";
import { createTimeTrack, NEW_TIME_TRACK } from "./time-track.ts";
import type { StoredTimeTrack, TimeTrack } from "./time-track.ts";

const PARAMETERS = [
  ...PACE_PARAMETERS,
  ...TIME_PARAMETERS,
  {
    name: "reporting",
    value: 0.5,
    unit: "share of the group",
    meaning: "Fewer ranks of a group than this do not show when its transfer began",
    most: 1,
  },
] as const satisfies readonly DetectorParameter[];
const DETECTOR = { id: "transfer-slow", version: 2, parameters: PARAMETERS } as const;
const METRIC = "communication_time";

interface State {
  layout: string;
  seen: number;
  ranks: number;
  /** Of the median group. */
  pace: PaceState;
  /** Groups among each other. */
  track: StoredTimeTrack;
  open: TimeRecord[];
  crowdStep: number | null;
}

const fresh = (): State => ({ layout: "", seen: 0, ranks: 0, pace: newPaceState(), track: NEW_TIME_TRACK, open: [], crowdStep: null });

interface Watching {
  readonly context: RankContext;
  readonly rules: TimeRules & { readonly reporting: number };
  readonly pace: PaceRules;
  readonly layout: RankLayout;
  readonly state: State;
  readonly material: number;
  groups: ReplicaGroups | null;
  track: TimeTrack;
  /** What is told of groups that another layout has taken apart, in the words of the layout in which they were. */
  left: readonly Finding[];
}

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, false);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  const material = Math.log1p(rules.material);
  const track = createTimeTrack(rules, material, state.track);
  const watching: Watching = { context, rules, pace: paceRules(rules), layout, state, material, groups: null, track, left: [] };
  return {
    observe: (step) => (step.metric === METRIC ? observe(watching, step) : []),
    place(placements) {
      leaveGroups(watching, placements);
      layout.place(placements);
      watching.groups = null;
    },
    finish: () => [],
    state: () => storeState(DETECTOR.version, { ...state, track: watching.track.pack() }, overrides),
    coverage() {
      if (state.seen === 0) return { sees: false, why: "no communication time is logged by two ranks or more" };
      return { sees: true, why: state.layout === "untold" ? "no layout is known: all ranks count as one communication group" : null };
    },
  };
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { state, context, pace } = watching;
  const ranks = Math.max(state.ranks, step.values.length);
  if (watching.groups === null || (!watching.groups.told && ranks > state.ranks))
    watching.groups = replicaGroupsOf(watching.layout.placements().values(), ranks);
  state.ranks = ranks;
  const { groups, layout } = watching.groups;
  if (layout !== state.layout) {
    Object.assign(state, { layout, pace: newPaceState(), open: [] });
    watching.track = createTimeTrack(watching.rules, watching.material, NEW_TIME_TRACK);
  }
  const { left } = watching;
  watching.left = [];
  const transfers = Float64Array.from(groups, (group) => transferOf(group, step.values, watching.rules.reporting));
  const known = transfers.filter((seconds) => !Number.isNaN(seconds));
  if (known.length === 0) return left;
  state.seen++;
  const words = wordsOf(groups.length, known.length);
  const stretches = observePace(state.pace, { step: step.step, timeMs: step.timeMs, value: median(known) }, pace);
  const all = [...left, ...stretches.map((stretch) => paceFinding(words, context, pace, stretch))];
  return groups.length < LEAST_PEERS ? all : [...all, ...amongGroups(watching, groups, transfers, step)];
}

/** Under other groups nothing that was learned holds: what is open is not followed any further. */
function leaveGroups(watching: Watching, placements: readonly RankPlacement[]): void {
  const { state, context, pace, layout } = watching;
  const before = watching.groups ?? replicaGroupsOf(layout.placements().values(), state.ranks);
  if (before.layout !== state.layout || replicaGroupsOf(placements, state.ranks).layout === state.layout) return;
  const groups = state.open.map((record) => groupFinding(watching, before.groups, leaveTimeRecord(record)));
  const { open } = state.pace;
  const all =
    open === null || open.state !== "ongoing"
      ? []
      : [
          paceFinding(wordsOf(before.groups.length, before.groups.length), context, pace, {
            ...open,
            state: "shifted",
            endStep: open.lastStep,
          }),
        ];
  watching.left = [...watching.left, ...all, ...groups];
  state.open = [];
  state.pace.open = null;
}

/** How long the group's transfer took: the time of the rank that came last and waited for nobody, end minus the latest start (detection.md C.4). NaN where too few report. */
function transferOf(group: readonly number[], values: Float64Array, reporting: number): number {
  let least = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const rank of group) {
    const seconds = values[rank] ?? Number.NaN;
    if (!(seconds > 0) || !Number.isFinite(seconds)) continue;
    count++;
    if (seconds < least) least = seconds;
  }
  return count >= 2 && count >= reporting * group.length ? least : Number.NaN;
}

/** Groups carry like amounts at each step: one that is slower than the others has a slow link or port. */
function amongGroups(
  watching: Watching,
  groups: readonly (readonly number[])[],
  transfers: Float64Array,
  step: RankStep,
): readonly Finding[] {
  const { track, rules, state, material } = watching;
  const frozen = new Uint8Array(groups.length);
  for (const record of state.open) for (const group of record.ranks) frozen[group] = 1;
  const logs = transfers.map((seconds) => Math.log(seconds));
  const alarms = track.observe(step, logs, oneCohort(groups.length), frozen);
  const at: StepFacts = {
    step: step.step,
    timeMs: step.timeMs,
    value: (group) => transfers[group] ?? Number.NaN,
    expected: (group) => Math.exp(track.expected(group)),
    waits: () => null,
  };
  const { changed, crowd } = followUnits(
    { track, rules, layout: NOWHERE, at, ranks: groups.length, material, nodeShare: null, crowdStep: state.crowdStep },
    state.open,
    alarms,
  );
  if (crowd !== null) state.crowdStep = step.step;
  const findings = changed.map((record) => groupFinding(watching, groups, record));
  state.open = state.open.filter((record) => record.state === "ongoing");
  return findings;
}

/** Groups are no ranks: none of them is on a node of its own number. */
const NOWHERE = createRankLayout([], false);

function oneCohort(count: number): Cohorts {
  const members = Int32Array.from({ length: count }, (_, index) => index);
  return {
    layout: "groups",
    by: "run",
    caveat: null,
    disabled: false,
    unplaced: 0,
    of: new Int32Array(count),
    count: 1,
    members,
    starts: Int32Array.of(0, count),
  };
}

function wordsOf(groups: number, known: number) {
  return {
    detector: DETECTOR,
    metric: METRIC,
    severity: "warning",
    what: groups === 1 ? "Transfers take longer" : "Transfers of most communication groups take longer",
    say: (value: number) => `${sayValue(value)} s`,
    facts: (stretch: { readonly highestRatio: number }) => [{ fact: "transfer-slow", value: stretch.highestRatio } as const],
    evidence: () => [
      evidence(
        "for",
        "The rank that waits least waits longer too: it is the transfer, not a rank that comes late",
        known,
        "groups",
        METRIC,
      ),
      evidence("against", "Larger messages or more of them, such as after a change of batch size, would look the same", null, null, METRIC),
    ],
  } as const;
}

function groupFinding({ context, layout }: Watching, groups: readonly (readonly number[])[], record: TimeRecord): Finding {
  const [index = 0] = record.ranks;
  const ranks = groups[index] ?? [];
  const [rank = 0] = ranks;
  const nodes = new Set(ranks.map((one) => layout.placement(one)?.nodeId ?? null));
  const [node = null] = nodes;
  const place = layout.placeOf(rank);
  const onOne = nodes.size === 1 && node !== null;
  const ratio = Math.exp(record.excess);
  const since = record.standing ? "for as long as it is known" : `since step ${sayInteger(record.onsetStep)}`;
  return makeFinding(DETECTOR, context, {
    metric: METRIC,
    ...(onOne ? { subject: { kind: "node" as const, id: node }, place: { ...place, rank: null, gpuId: null } } : {}),
    severity: record.crowd === null ? "warning" : "info",
    state: record.state,
    onsetStep: record.onsetStep,
    onsetLowerStep: record.onsetLowerStep,
    onsetTimeMs: record.onsetTimeMs,
    detectedStep: record.detectedStep,
    detectedTimeMs: record.detectedTimeMs,
    peakStep: record.peakStep,
    endStep: record.endStep,
    shape: record.standing ? "ramp" : "jump",
    peakValue: record.peakValue,
    baselineValue: record.expected,
    levelShift: null,
    identityStep: record.detectedStep + index / (groups.length + 1),
    summary: `Transfers among ranks ${sayRanks(ranks)} take ${Math.round(100 * (ratio - 1))} % longer than those of other groups ${since}${record.endStep === null ? "" : `, until step ${sayInteger(record.endStep)}`}.`,
    evidence: [
      evidence(
        "for",
        `${sayValue(record.peakValue)} s where ${sayValue(record.expected)} s were to be expected of the group`,
        ratio,
        "×",
        METRIC,
      ),
      evidence(
        "for",
        "The rank of the group that waits least waits longer too: it is the transfer, not a rank that comes late",
        ranks.length,
        "ranks",
        METRIC,
      ),
      evidence("against", "Which of the group's links or ports is slow, these times do not tell", ranks.length, "ranks", METRIC),
      ...(record.state === "recovered"
        ? [evidence("against", "The group is as fast as the others again", record.endStep, "step", METRIC)]
        : []),
      ...(record.state === "shifted"
        ? [evidence("against", "The groups are others since: whether it goes on is not known", record.endStep, "step", METRIC)]
        : []),
    ],
    facts: [{ fact: "transfer-slow", value: ratio }],
  });
}

export const transferSlow = {
  ...DETECTOR,
  title: "Slow transfers",
  finds:
    "Collectives whose transfer itself has become slow, in one communication group or in all: a link, a port or the network, not a rank that comes late.",
  source: "detection.md C.4: transfer time is the end minus the latest start in the group; who waits is a victim",
  metrics: [METRIC],
  create,
} satisfies RankDetectorEntry;
