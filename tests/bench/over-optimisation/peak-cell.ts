import type { Checkpoint } from "@trainwatch/core";
import { proposeAdvice } from "@trainwatch/decide";
import { wilsonInterval } from "@trainwatch/stats";
import { EVALUATIONS, meanOf, round, STEPS_BETWEEN, toldOf, type Told, type Variant } from "./held-out-run.ts";
import type { PEAK_SHAPES } from "./shapes.ts";

const LAST_STEP = EVALUATIONS * STEPS_BETWEEN;
/** A checkpoint is saved at every so many evaluations: often, and so seldom that the proposed one may lie far before the peak. */
const SAVED_EACH = [3, 12] as const;

const SAVED: Omit<Checkpoint, "step"> = { attempt: "a1", kind: "model", path: null, state: "unchecked", savedAtMs: null, reason: null };

type PeakShape = (typeof PEAK_SHAPES)[number];

/** What one finding said of the peak, and the advice made of it, beside the truth. */
export interface Judged {
  readonly isCovered: boolean;
  readonly isLowRight: boolean;
  readonly widthEvaluations: number;
  /** True points that the told peak lies below the true one. */
  readonly pointsAtPeak: number;
  /** By {@link SAVED_EACH}; null where no checkpoint was proposed. */
  readonly advice: readonly (Advised | null)[];
}

interface Advised {
  readonly statedShare: number;
  /** Whether it was saved at or before the true peak. */
  readonly isBefore: boolean;
  /** True points that it lies below the best one saved, and that the newest one does. */
  readonly pointsLost: number;
  readonly pointsLostByNewest: number;
}

/** Of the same runs: at the alarm, and at the end of the run. */
export function judgeRuns(
  shape: PeakShape,
  variant: Variant,
  draws: number,
  seed: number,
): { readonly atAlarm: readonly Judged[]; readonly atEnd: readonly Judged[] } {
  const runs = Array.from({ length: draws }, (_, draw) => [...toldOf(shape, variant, seed + draw)]);
  return {
    atAlarm: runs.flatMap((told) => told.slice(0, 1)).map((told) => judge(shape, told)),
    atEnd: runs.flatMap((told) => told.slice(-1)).flatMap((told) => (told.finding.state === "ongoing" ? [judge(shape, told)] : [])),
  };
}

function judge(shape: PeakShape, told: Told): Judged {
  const { finding } = told;
  const best = shape.accuracy(shape.peak);
  const at = (step: number): number => shape.accuracy(step / LAST_STEP);
  const lowStep = finding.onsetLowerStep ?? 0;
  const highStep = highStepOf(finding.evidence.map(({ text }) => text).join("\n"));
  // On a plateau every step is a best one: the interval holds the peak where it holds one of them.
  const covered = Array.from({ length: (highStep - lowStep) / STEPS_BETWEEN + 1 }, (_, index) => lowStep + index * STEPS_BETWEEN);
  const trueStep = shape.peak * LAST_STEP;
  return {
    isCovered: (lowStep <= trueStep && trueStep <= highStep) || covered.some((step) => best - at(step) < 1e-9),
    isLowRight: lowStep <= trueStep,
    widthEvaluations: (highStep - lowStep) / STEPS_BETWEEN,
    pointsAtPeak: 100 * (best - at(finding.onsetStep ?? 0)),
    advice: SAVED_EACH.map((each) => advised(shape, told, each)),
  };
}

function advised(shape: PeakShape, { evaluation, finding }: Told, each: number): Advised | null {
  const at = (step: number): number => shape.accuracy(step / LAST_STEP);
  const lastStep = evaluation * STEPS_BETWEEN;
  const steps = Array.from({ length: Math.floor(evaluation / each) }, (_, index) => (index + 1) * each * STEPS_BETWEEN);
  const { action, checkpointStep, confidence } = proposeAdvice({
    findings: [finding],
    attempt: "a1",
    checkpoints: steps.map((step): Checkpoint => ({ ...SAVED, step })),
    checkpointEvery: null,
    firstStep: 1,
    lastStep,
    stepTimeS: null,
    gpus: null,
    logEvery: 1,
    earlier: [],
    seed: 1,
  });
  if (action !== "rollback" || checkpointStep === null || confidence.share === null) return null;
  const bestSaved = Math.max(...steps.map(at));
  return {
    statedShare: confidence.share,
    isBefore: checkpointStep <= shape.peak * LAST_STEP,
    pointsLost: 100 * (bestSaved - at(checkpointStep)),
    pointsLostByNewest: 100 * (bestSaved - at(steps.at(-1) ?? 0)),
  };
}

/** `eval/held_out/accuracy was best about step 220 (90 %: 60 to 1,310), at a KL of …` */
function highStepOf(text: string): number {
  const told = /\(90 %: [\d,]+ to ([\d,]+)\)/.exec(text)?.[1];
  if (told === undefined) throw new Error(`no interval is told: ${text}`);
  return Number(told.replaceAll(",", ""));
}

export function peakFigures(judged: readonly Judged[]) {
  const share = (of: (each: Judged) => boolean): number => round(judged.filter(of).length / judged.length, 3);
  return {
    runs: judged.length,
    covered: share(({ isCovered }) => isCovered),
    lowerEndRight: share(({ isLowRight }) => isLowRight),
    widthEvaluations: round(meanOf(judged.map(({ widthEvaluations }) => widthEvaluations)), 1),
    pointsAtPeak: round(meanOf(judged.map(({ pointsAtPeak }) => pointsAtPeak)), 2),
    ...adviceFigures(judged),
  };
}

function adviceFigures(judged: readonly Judged[]) {
  const proposed = judged.flatMap(({ advice }) => advice[0] ?? []);
  const lost = proposed.map(({ pointsLost }) => pointsLost).toSorted((a, b) => a - b);
  return {
    noCheckpoint: judged.length - proposed.length,
    statedShare: round(meanOf(proposed.map(({ statedShare }) => statedShare)), 3),
    atOrBeforePeak: round(proposed.filter(({ isBefore }) => isBefore).length / proposed.length, 3),
    pointsLost: round(meanOf(lost), 2),
    pointsLostP95: round(lost[Math.floor(0.95 * lost.length)] ?? Number.NaN, 2),
    pointsLostByNewest: round(meanOf(proposed.map(({ pointsLostByNewest }) => pointsLostByNewest)), 2),
  };
}

/** Lower ends of the bins of stated shares; the last one is what advice claims at most. */
const BINS = [0, 0.6, 0.7, 0.8, 0.9, 0.98] as const;

/** How often what was stated with a share came true, by that share: all proposals together. */
export function calibration(judged: readonly Judged[]) {
  const proposed = judged.flatMap(({ advice }) => advice.flatMap((each) => each ?? []));
  return BINS.flatMap((from, index) => {
    const to = BINS[index + 1] ?? 1.01;
    const inside = proposed.filter(({ statedShare }) => statedShare >= from && statedShare < to);
    if (inside.length === 0) return [];
    const right = inside.filter(({ isBefore }) => isBefore).length;
    return [
      {
        statedFrom: from,
        count: inside.length,
        stated: round(meanOf(inside.map(({ statedShare }) => statedShare)), 3),
        cameTrue: round(right / inside.length, 3),
        low95: round(wilsonInterval(right, inside.length).low, 3),
      },
    ];
  });
}
