import { sayInteger } from "@trainwatch/core";
import type { Evidence, Finding } from "@trainwatch/core";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { earliestStep } from "../../series/earliest-step.ts";
import { sayRanks } from "../cohort-words.ts";
import { packColumn, unpackColumn } from "../column.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { compareGroup, replicaGroupsOf } from "./replica-groups.ts";
import type { ReplicaGroups } from "./replica-groups.ts";

const PARAMETERS = [
  {
    name: "majority",
    value: 0.5,
    unit: "share of the replicas",
    meaning: "More than this must agree for the others to be the wrong ones",
    least: 0.5,
    most: 1,
  },
  {
    name: "majority_untold",
    value: 0.67,
    unit: "share of the ranks",
    meaning: "And more than this where no layout is told",
    least: 0.5,
    most: 1,
  },
  {
    name: "few",
    value: 8,
    unit: "ranks",
    meaning: "More wrong ranks than this at once are one finding on the run: software that lost its synchrony",
  },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "replica-hash", version: 1, parameters: PARAMETERS } as const;
const METRIC = "param_hash";

/** Replicas that differ, JSON-safe. `rank` is null where so many do that the run is the subject. */
interface Mismatch {
  readonly rank: number | null;
  readonly firstStep: number;
  readonly firstTimeMs: number | null;
  readonly lowerStep: number;
  /** Whether they were seen equal before. */
  readonly agreedBefore: boolean;
  /** Ranks that differ, and how many were compared; the others of a group without a majority. */
  wrong: number;
  readonly of: number;
  readonly others: readonly number[];
  readonly majority: boolean;
  lastStep: number;
  steps: number;
  endStep: number | null;
}

interface State {
  layout: string;
  seen: number;
  compared: number;
  ranks: number;
  /** By group: the newest step at which all its replicas were equal, -1 for never. */
  agreed: string;
  open: Mismatch[];
}

const fresh = (): State => ({ layout: "", seen: 0, compared: 0, ranks: 0, agreed: "", open: [] });

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, false);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  let groups: ReplicaGroups | null = null;
  let agreed = unpackColumn(Float64Array, state.agreed);
  const groupsFor = (ranks: number): ReplicaGroups => {
    if (groups === null || (!groups.told && ranks > state.ranks)) groups = replicaGroupsOf(layout.placements().values(), ranks);
    return groups;
  };
  return {
    observe(step) {
      if (step.metric !== METRIC) return [];
      const now = groupsFor(Math.max(state.ranks, step.values.length));
      state.ranks = Math.max(state.ranks, step.values.length);
      if (now.layout !== state.layout || agreed.length !== now.groups.length) {
        state.layout = now.layout;
        agreed = new Float64Array(now.groups.length).fill(-1);
      }
      return observe({ context, rules, layout, state, groups: now, agreed }, step);
    },
    place(placements) {
      layout.place(placements);
      groups = null;
    },
    finish: () => [],
    state: () => storeState(DETECTOR.version, { ...state, agreed: packColumn(agreed) }, overrides),
    coverage() {
      if (state.seen === 0) return { sees: false, why: "no parameter hash is logged by rank" };
      const untold = state.layout === "untold";
      if (state.compared === 0)
        return {
          sees: false,
          why: untold
            ? "no layout is told, and most ranks do not agree: they may hold different parts"
            : "no two replicas have agreed: they may hold shards of their own",
        };
      return { sees: true, why: untold ? "no layout is told: all ranks are compared since most agree" : null };
    },
  };
}

interface Watching {
  readonly context: RankContext;
  readonly rules: ReturnType<typeof parametersOf<typeof PARAMETERS>>;
  readonly layout: RankLayout;
  readonly state: State;
  readonly groups: ReplicaGroups;
  readonly agreed: Float64Array;
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { rules, state, groups, agreed } = watching;
  state.seen++;
  const found: Mismatch[] = [];
  let compared = false;
  for (const [index, group] of groups.groups.entries()) {
    const before = agreed[index] ?? -1;
    const verdict = compareGroup(group, step.values, groups.told ? rules.majority : rules.majority_untold, before >= 0);
    compared ||= verdict.kind !== "not-comparable";
    if (verdict.kind === "equal") agreed[index] = step.step;
    if (verdict.kind !== "unequal") continue;
    for (const rank of verdict.wrong) {
      const others = verdict.majority ? [] : verdict.wrong.filter((one) => one !== rank);
      found.push(newMismatch(step, rank, { ...verdict, others, before }));
    }
  }
  if (compared) state.compared++;
  const changed = found.length > rules.few ? meetCrowd(state, step, found) : meetEach(state, step, found, compared);
  const findings = changed.map((mismatch) => finding(watching, mismatch));
  state.open = state.open.filter(({ endStep }) => endStep === null);
  return findings;
}

function newMismatch(
  step: RankStep,
  rank: number | null,
  facts: {
    readonly wrong: readonly number[];
    readonly of: number;
    readonly others: readonly number[];
    readonly majority: boolean;
    readonly before: number;
  },
): Mismatch {
  const { wrong, of, others, majority, before } = facts;
  const lowerStep = before < 0 ? 0 : earliestStep(before, step.step);
  return {
    rank,
    firstStep: step.step,
    firstTimeMs: step.timeMs,
    lowerStep,
    agreedBefore: before >= 0,
    wrong: wrong.length,
    of,
    others: others.slice(0, 8),
    majority,
    lastStep: step.step,
    steps: 1,
    endStep: null,
  };
}

/** Each wrong rank by itself: new, gone on, or equal again. Nothing ends at a step at which nothing could be compared. */
function meetEach(state: State, step: RankStep, found: readonly Mismatch[], compared: boolean): readonly Mismatch[] {
  const changed: Mismatch[] = [];
  const now = new Map(found.map((mismatch) => [mismatch.rank, mismatch]));
  for (const held of state.open) {
    const again = held.rank === null ? found[0] : now.get(held.rank);
    if (again !== undefined) {
      if (goOn(held, step)) changed.push(held);
    } else if (compared && (held.rank === null || step.has[held.rank] === 1)) {
      held.endStep = step.step;
      changed.push(held);
    }
  }
  const known = new Set(state.open.map(({ rank }) => rank));
  if (known.has(null)) return changed;
  const fresh = found.filter(({ rank }) => !known.has(rank));
  state.open.push(...fresh);
  return [...changed, ...fresh];
}

/** More than a device or two can explain: one finding on the run stands for them. */
function meetCrowd(state: State, step: RankStep, found: readonly Mismatch[]): readonly Mismatch[] {
  const held = state.open.find(({ rank }) => rank === null);
  const named = state.open.filter(({ rank }) => rank !== null);
  for (const one of named) goOn(one, step);
  if (held !== undefined) {
    held.wrong = found.length;
    return goOn(held, step) ? [held] : [];
  }
  const [first] = found;
  if (first === undefined) return [];
  const crowd: Mismatch = {
    ...first,
    rank: null,
    wrong: found.length,
    of: found.reduce((sum, { of, majority }) => Math.max(sum, majority ? of : 0), found.length),
    others: found.flatMap(({ rank }) => rank ?? []).slice(0, 8),
    lowerStep: Math.min(...found.map(({ lowerStep }) => lowerStep)),
  };
  state.open.push(crowd);
  return [crowd];
}

/** Whether it is worth telling again: at each doubling. */
function goOn(held: Mismatch, step: RankStep): boolean {
  held.lastStep = step.step;
  held.steps++;
  return held.steps >= 4 && (held.steps & (held.steps - 1)) === 0;
}

function finding({ context, layout, groups }: Watching, mismatch: Mismatch): Finding {
  const { rank, wrong, of } = mismatch;
  const since = sayInteger(mismatch.firstStep);
  const who =
    rank === null
      ? `${wrong} ranks hold parameters other than their replicas since step ${since}`
      : mismatch.majority
        ? `Rank ${rank} holds parameters other than ${sayInteger(of - wrong)} replicas of it since step ${since}`
        : `Rank ${rank} and rank ${sayRanks(mismatch.others)} hold different parameters since step ${since}: one of the ${mismatch.others.length + 1} is wrong`;
  return makeFinding(DETECTOR, context, {
    metric: METRIC,
    ...(rank === null ? {} : { subject: { kind: "rank" as const, id: String(rank) }, place: layout.placeOf(rank) }),
    severity: "critical",
    state: mismatch.endStep === null ? "ongoing" : "recovered",
    onsetStep: mismatch.firstStep,
    onsetLowerStep: mismatch.lowerStep,
    onsetTimeMs: mismatch.firstTimeMs,
    detectedStep: mismatch.firstStep,
    detectedTimeMs: mismatch.firstTimeMs,
    peakStep: mismatch.firstStep,
    endStep: mismatch.endStep,
    shape: "jump",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: mismatch.endStep === null ? `${who}.` : `${who}; equal again at step ${sayInteger(mismatch.endStep)}.`,
    evidence: evidenceOf(mismatch, groups.told),
    facts: [{ fact: "replica-hash-mismatch", value: wrong }],
  });
}

function evidenceOf(mismatch: Mismatch, told: boolean): Evidence[] {
  const { rank, wrong, of, agreedBefore, lowerStep, others } = mismatch;
  const list = [
    evidence("for", `${wrong} of ${of} replicas that must be equal differ, on ${mismatch.steps} steps so far`, wrong, "ranks", METRIC),
  ];
  if (agreedBefore) list.push(evidence("for", `They were equal up to step ${sayInteger(lowerStep - 1)}`, lowerStep - 1, "step", METRIC));
  else list.push(evidence("against", "They have not been seen equal in this attempt: they may have begun unequal", null, null, METRIC));
  if (rank === null)
    list.push(
      evidence(
        "against",
        `So many at once, rank ${sayRanks(others)}: software that lost its synchrony rather than devices`,
        wrong,
        "ranks",
        METRIC,
      ),
    );
  else if (!mismatch.majority)
    list.push(
      evidence("against", `No majority says who is right: it may as well be rank ${sayRanks(others)}`, others.length, "ranks", METRIC),
    );
  if (!told)
    list.push(evidence("against", "No layout is told: all ranks were compared because most of them agree", null, null, "placements"));
  list.push(evidence("against", "A parameter that the software does not synchronise differs without a fault of hardware"));
  if (mismatch.endStep !== null)
    list.push(evidence("against", `Equal again at step ${sayInteger(mismatch.endStep)}`, mismatch.endStep, "step", METRIC));
  return list;
}

export const replicaHash = {
  ...DETECTOR,
  title: "Replicas hold different parameters",
  finds:
    "Data-parallel replicas whose parameter hashes differ: a proof that one of them computed or stored something else, and which one where most agree.",
  source: "detection.md B.2.1; BLOOM's layer-norm drift took 15 days by hand, TrainCheck (OSDI '25) sees it at once",
  metrics: [METRIC],
  create,
} satisfies RankDetectorEntry;
