import { sayInteger } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { earliestStep } from "../../series/earliest-step.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";

const PARAMETERS = [
  { name: "clean", value: 1_000, unit: "steps", meaning: "Steps without a mismatch after which the rank counts as recovered" },
  { name: "few", value: 8, unit: "ranks", meaning: "More ranks than this at once are a kernel that is not deterministic, not devices" },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "recompute-mismatch", version: 1, parameters: PARAMETERS } as const;
const METRIC = "recompute_mismatches";

/** JSON-safe. `rank` is null where so many ranks do not agree with themselves that the run is the subject. */
interface Mismatch {
  readonly rank: number | null;
  readonly firstStep: number;
  readonly firstTimeMs: number | null;
  readonly lowerStep: number;
  lastStep: number;
  steps: number;
  worst: number;
  worstStep: number;
  ranks: number;
  /** Steps of the rank without one since. */
  clean: number;
  over: boolean;
}

interface State {
  seen: number;
  cleanRanks: number;
  lastStep: number | null;
  open: Mismatch[];
}

const fresh = (): State => ({ seen: 0, cleanRanks: 0, lastStep: null, open: [] });

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
    observe: (step) => (step.metric === METRIC ? observe({ context, rules, layout, state }, step) : []),
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () => storeState(DETECTOR.version, state, overrides),
    coverage: () => (state.seen === 0 ? { sees: false, why: "no recompute mismatches are logged by rank" } : { sees: true, why: null }),
  };
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { rules, state } = watching;
  const previous = state.lastStep;
  state.lastStep = step.step;
  state.seen++;
  const bad: number[] = [];
  state.cleanRanks = 0;
  for (let rank = 0; rank < step.values.length; rank++) {
    if (step.has[rank] !== 1) continue;
    if ((step.values[rank] ?? 0) > 0) bad.push(rank);
    else state.cleanRanks++;
  }
  const crowd = bad.length > rules.few;
  const isBad = new Set<number | null>(crowd ? [null, ...bad] : bad);
  const changed: Mismatch[] = [];
  for (const held of state.open) if (follow(held, step, isBad.has(held.rank), bad, rules.clean)) changed.push(held);
  const known = new Set(state.open.map(({ rank }) => rank));
  const fresh = (crowd ? [null] : bad).filter((rank) => !known.has(rank) && !known.has(null));
  for (const rank of fresh) {
    const mismatch = newMismatch(step, rank, bad, earliestStep(previous, step.step));
    state.open.push(mismatch);
    changed.push(mismatch);
  }
  const findings = changed.map((mismatch) => finding(watching, mismatch));
  state.open = state.open.filter(({ over }) => !over);
  return findings;
}

function newMismatch(step: RankStep, rank: number | null, bad: readonly number[], lowerStep: number): Mismatch {
  return {
    rank,
    firstStep: step.step,
    firstTimeMs: step.timeMs,
    lowerStep,
    lastStep: step.step,
    steps: 1,
    worst: worstOf(step, rank, bad),
    worstStep: step.step,
    ranks: rank === null ? bad.length : 1,
    clean: 0,
    over: false,
  };
}

function worstOf(step: RankStep, rank: number | null, bad: readonly number[]): number {
  const values = rank === null ? bad.map((one) => step.values[one] ?? 0) : [step.values[rank] ?? 0];
  return Math.min(
    Number.MAX_VALUE,
    values.reduce((worst, value) => Math.max(worst, value), 0),
  );
}

/** Whether it is worth telling: at each doubling, and when it is over. */
function follow(held: Mismatch, step: RankStep, isBad: boolean, bad: readonly number[], clean: number): boolean {
  if (!isBad) {
    if (held.rank !== null && step.has[held.rank] !== 1) return false;
    held.clean++;
    held.over = held.clean >= clean;
    return held.over;
  }
  held.clean = 0;
  held.steps++;
  held.lastStep = step.step;
  const worst = worstOf(step, held.rank, bad);
  if (worst > held.worst) Object.assign(held, { worst, worstStep: step.step });
  return (held.steps & (held.steps - 1)) === 0;
}

function finding({ context, rules, layout, state }: Watching, mismatch: Mismatch): Finding {
  const { rank, steps, worst } = mismatch;
  const who = rank === null ? `${mismatch.ranks} ranks` : `Rank ${rank}`;
  const ends = mismatch.over ? `; none on the ${sayInteger(rules.clean)} steps since step ${sayInteger(mismatch.lastStep)}` : "";
  return makeFinding(DETECTOR, context, {
    metric: METRIC,
    ...(rank === null ? {} : { subject: { kind: "rank" as const, id: String(rank) }, place: layout.placeOf(rank) }),
    // A kernel that is not deterministic is a bug to be fixed by day; one device that contradicts itself is not.
    severity: rank === null ? "warning" : "critical",
    state: mismatch.over ? "recovered" : "ongoing",
    onsetStep: mismatch.firstStep,
    onsetLowerStep: mismatch.lowerStep,
    onsetTimeMs: mismatch.firstTimeMs,
    detectedStep: mismatch.firstStep,
    detectedTimeMs: mismatch.firstTimeMs,
    peakStep: mismatch.worstStep,
    endStep: mismatch.over ? mismatch.lastStep : null,
    shape: "jump",
    peakValue: worst,
    baselineValue: 0,
    levelShift: null,
    summary: `${who} computed the same activations twice with different results since step ${sayInteger(mismatch.firstStep)}, on ${sayInteger(steps)} ${steps === 1 ? "step" : "steps"}${ends}.`,
    evidence: [
      evidence(
        "for",
        `${sayInteger(worst)} recomputed values differed at step ${sayInteger(mismatch.worstStep)}`,
        worst,
        "mismatches",
        METRIC,
      ),
      ...(rank === null
        ? [
            evidence(
              "against",
              `${mismatch.ranks} ranks at once: a kernel that is not deterministic rather than devices`,
              mismatch.ranks,
              "ranks",
              METRIC,
            ),
          ]
        : [evidence("for", `${sayInteger(state.cleanRanks)} other ranks had none at that time`, state.cleanRanks, "ranks", METRIC)]),
      evidence("against", "It proves a fault only where the kernels are deterministic: check that they are"),
    ],
    facts: [{ fact: "recompute-mismatch", value: steps }],
  });
}

export const recomputeMismatch = {
  ...DETECTOR,
  title: "Recomputation disagrees",
  finds: "A rank that recomputes its activations and gets something else than before: an exact sign of a GPU that computes wrongly.",
  source: "detection.md B.2.2: recompute fingerprints made 12 of 18 finds of AEGIS (OSDI '26)",
  metrics: [METRIC],
  create,
} satisfies RankDetectorEntry;
