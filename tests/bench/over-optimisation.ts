// The operating point of the over-optimisation detector (detection.md F.2): false alarms of runs that saturate or stand on a plateau, and how far a score has truly fallen when the alarm comes.
// It drives the registered detector. Seeds are other than those on which its parameters were chosen; figures depend on the seeds only.
import { DETECTORS, type DetectorEntry } from "@trainwatch/detect";
import { normalDraw, seededRandom, wilsonInterval } from "@trainwatch/stats";
import type { Sample } from "@trainwatch/core";

const DRAWS = 400;
const EVALUATIONS = 60;
const STEPS_BETWEEN = 40;
/** Rewards and KL values between two evaluations. */
const LOGGED_BETWEEN = 8;
/** Of the outcomes of two evaluations on one prompt. */
const CORRELATION = 0.6;
const SEED = 730_001;
const MOST_FALSE_ALARMS = 0.02;
const MOST_POINTS = 3;
const PROMPTS = [250, 500, 1_000, 2_000] as const;

const ENTRIES: readonly DetectorEntry[] = DETECTORS;

interface Shape {
  readonly name: string;
  /** True accuracy at a share of the run. */
  readonly accuracy: (done: number) => number;
  /** Where it is best; null: it never falls. */
  readonly peak: number | null;
}

/** The score falls by eight points over the second half. */
const fallen = (done: number): number => 0.16 * Math.max(0, done - 0.5);
const saturating = (done: number): number => 0.4 + 0.25 * (1 - Math.exp(-done / 0.15));
const plateau = (done: number): number => 0.4 + 0.25 * Math.min(1, done / 0.35);

const SHAPES: readonly Shape[] = [
  { name: "saturating", accuracy: saturating, peak: null },
  { name: "plateau", accuracy: plateau, peak: null },
  { name: "rising", accuracy: (done) => 0.4 + 0.25 * done, peak: null },
  { name: "saturating, then falling", accuracy: (done) => saturating(done) - fallen(done), peak: 0.5 },
  { name: "plateau, then falling", accuracy: (done) => plateau(done) - fallen(done), peak: 0.5 },
];

interface Variant {
  readonly isToldPrompts: boolean;
  readonly isKlLogged: boolean;
}
const VARIANTS: readonly Variant[] = [
  { isToldPrompts: false, isKlLogged: true },
  { isToldPrompts: true, isKlLogged: true },
  { isToldPrompts: false, isKlLogged: false },
];

interface Alarm {
  readonly evaluation: number;
  readonly lowStep: number;
  readonly highStep: number;
}

/** One run; null: no alarm. The same prompts each time: what they have in common moves all evaluations alike. */
function alarmOf(shape: Shape, prompts: number, variant: Variant, seed: number): Alarm | null {
  const entry = ENTRIES.find(({ id }) => id === "over-optimisation");
  if (entry === undefined) throw new Error("there is no detector over-optimisation");
  const parameters = variant.isToldPrompts ? { parameters: { [entry.id]: { prompts } } } : {};
  const detector = entry.create({ run: "bench/run", attempt: "a1", ...parameters });
  const random = seededRandom(seed);
  const common = normalDraw(random);
  for (let evaluation = 1; evaluation <= EVALUATIONS; evaluation++) {
    const samples: Sample[] = [];
    for (let logged = 1; logged <= LOGGED_BETWEEN; logged++) {
      const step = Math.round((evaluation - 1 + logged / LOGGED_BETWEEN) * STEPS_BETWEEN);
      const done = step / (EVALUATIONS * STEPS_BETWEEN);
      samples.push({ metric: "reward", step, timeMs: null, value: 0.4 + 0.3 * done + 0.02 * normalDraw(random) });
      if (variant.isKlLogged) samples.push({ metric: "kl", step, timeMs: null, value: 0.2 * done * Math.exp(0.15 * normalDraw(random)) });
    }
    const accuracy = shape.accuracy(evaluation / EVALUATIONS);
    const error = Math.sqrt((accuracy * (1 - accuracy)) / prompts);
    const value = accuracy + error * (Math.sqrt(CORRELATION) * common + Math.sqrt(1 - CORRELATION) * normalDraw(random));
    samples.push({ metric: "eval/held_out/accuracy", step: evaluation * STEPS_BETWEEN, timeMs: null, value });
    for (const sample of samples)
      for (const finding of detector.observe(sample))
        if (finding.severity !== "info") return { evaluation, lowStep: finding.onsetLowerStep ?? 0, highStep: finding.peakStep ?? 0 };
  }
  return null;
}

function cellOf(shape: Shape, prompts: number, variant: Variant, seed: number) {
  const alarms = Array.from({ length: DRAWS }, (_, draw) => alarmOf(shape, prompts, variant, seed + draw));
  const told = alarms.flatMap((alarm) => alarm ?? []);
  const head = { shape: shape.name, prompts, promptsTold: variant.isToldPrompts, klLogged: variant.isKlLogged };
  const { peak } = shape;
  if (peak === null) return { ...head, falseAlarms: told.length / DRAWS, high95: round(wilsonInterval(told.length, DRAWS).high, 4) };
  const early = told.filter(({ evaluation }) => evaluation <= peak * EVALUATIONS).length;
  const found = told.filter(({ evaluation }) => evaluation > peak * EVALUATIONS);
  const points = found
    .map(({ evaluation }) => 100 * (shape.accuracy(peak) - shape.accuracy(evaluation / EVALUATIONS)))
    .toSorted((a, b) => a - b);
  const lags = found.map(({ evaluation }) => evaluation - peak * EVALUATIONS).toSorted((a, b) => a - b);
  return {
    ...head,
    early: early / DRAWS,
    missed: (DRAWS - told.length) / DRAWS,
    lagEvaluations: lags[lags.length >> 1] ?? null,
    pointsBelowPeak: {
      mean: round(points.reduce((sum, each) => sum + each, 0) / points.length, 2),
      median: round(points[points.length >> 1] ?? Number.NaN, 2),
    },
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export default {
  name: "over-optimisation",
  run() {
    let seed = SEED;
    const cells = VARIANTS.flatMap((variant) =>
      PROMPTS.flatMap((prompts) => SHAPES.map((shape) => cellOf(shape, prompts, variant, (seed += 10_000)))),
    );
    // By default nobody has told how many prompts there are; told, the detector is stricter and later.
    const atDefaults = cells.filter(({ promptsTold }) => !promptsTold);
    const falseAlarms = atDefaults.flatMap((cell) => ("falseAlarms" in cell ? [cell.falseAlarms] : []));
    const atThousand = atDefaults.flatMap((cell) =>
      "pointsBelowPeak" in cell && cell.prompts === 1_000 ? [cell.pointsBelowPeak.mean] : [],
    );
    return {
      draws: DRAWS,
      seed: SEED,
      goal: { falseAlarms: MOST_FALSE_ALARMS, pointsBelowPeakAt1000: MOST_POINTS },
      worstFalseAlarms: Math.max(...falseAlarms),
      worstMeanPointsAt1000: Math.max(...atThousand),
      ok: falseAlarms.every((share) => share <= MOST_FALSE_ALARMS) && atThousand.every((points) => points <= MOST_POINTS),
      cells,
    };
  },
};
