// The operating point of the over-optimisation detector (detection.md F.2): false alarms of runs that saturate or stand on a plateau, how far a score has truly fallen when the
// alarm comes, how often the interval of the peak holds it, and what the proposed checkpoint is worth. It drives the registered detector and the advice. Seeds are other than those
// on which parameters were chosen; figures depend on the seeds only.
import { alarmCell } from "./over-optimisation/alarm-cell.ts";
import { calibration, judgeRuns, peakFigures } from "./over-optimisation/peak-cell.ts";
import { ALARM_SHAPES, PEAK_SHAPES } from "./over-optimisation/shapes.ts";
import { meanOf, round, type Variant } from "./over-optimisation/held-out-run.ts";

const DRAWS = 400;
const PEAK_DRAWS = 200;
const SEED = 1_630_001;
const PEAK_SEED = 3_730_001;
const MOST_FALSE_ALARMS = 0.02;
const MOST_POINTS = 3;
/** Of an interval of 90 %, in each shape of {@link PEAK_DRAWS} runs: two standard errors of the simulation below. */
const LEAST_COVERED = 0.9 - 2 * Math.sqrt(0.09 / PEAK_DRAWS);
/** As advice has it: what it claims at most. */
const MOST_SHARE = 0.98;
const PROMPTS = [250, 500, 1_000, 2_000] as const;

const VARIANTS: readonly Omit<Variant, "prompts">[] = [
  { isToldPrompts: false, isKlLogged: true },
  { isToldPrompts: true, isKlLogged: true },
  { isToldPrompts: false, isKlLogged: false },
];
const PEAK_VARIANTS: readonly Variant[] = [
  { prompts: 1_000, isToldPrompts: false, isKlLogged: true },
  { prompts: 1_000, isToldPrompts: false, isKlLogged: false },
  { prompts: 250, isToldPrompts: false, isKlLogged: true },
];

function alarms() {
  let seed = SEED;
  const cells = VARIANTS.flatMap((variant) =>
    PROMPTS.flatMap((prompts) => ALARM_SHAPES.map((shape) => alarmCell(shape, { ...variant, prompts }, DRAWS, (seed += 10_000)))),
  );
  // Of one shape and number of prompts all variants together: two in a hundred, or a tenth of a point, take more than 400 runs to tell.
  const quiet = ALARM_SHAPES.filter(({ peak }) => peak === null).flatMap(({ name }) =>
    PROMPTS.map((prompts) =>
      meanOf(cells.flatMap((cell) => ("falseAlarms" in cell && cell.shape === name && cell.prompts === prompts ? [cell.falseAlarms] : []))),
    ),
  );
  const late = ALARM_SHAPES.filter(({ peak }) => peak !== null).map(({ name }) =>
    meanOf(
      cells.flatMap((cell) =>
        "pointsBelowPeak" in cell && cell.shape === name && cell.prompts === 1_000 ? [cell.pointsBelowPeak.mean] : [],
      ),
    ),
  );
  return {
    worstFalseAlarms: round(Math.max(...quiet), 4),
    worstMeanPointsAt1000: round(Math.max(...late), 2),
    cells,
  };
}

function peaks() {
  let seed = PEAK_SEED;
  const runs = PEAK_VARIANTS.flatMap((variant) =>
    PEAK_SHAPES.map((shape) => ({ shape: shape.name, ...variant, ...judgeRuns(shape, variant, PEAK_DRAWS, (seed += 10_000)) })),
  );
  const cells = runs.map(({ atAlarm, atEnd, ...head }) => ({ ...head, atAlarm: peakFigures(atAlarm), atEnd: peakFigures(atEnd) }));
  const both = cells.flatMap(({ atAlarm, atEnd }) => [atAlarm, atEnd]);
  const atAlarm = runs.flatMap((run) => run.atAlarm);
  const atEnd = runs.flatMap((run) => run.atEnd);
  const surest = PEAK_SHAPES.map(({ name }) => {
    const own = runs.filter(({ shape }) => shape === name).flatMap((run) => [...run.atAlarm, ...run.atEnd]);
    return calibration(own).find(({ statedFrom }) => statedFrom === MOST_SHARE)?.low95 ?? 0;
  });
  return {
    draws: PEAK_DRAWS,
    seed: PEAK_SEED,
    worstCovered: Math.min(...both.map(({ covered }) => covered)),
    worstPointsLost: Math.max(...both.map(({ pointsLost }) => pointsLost)),
    all: { atAlarm: peakFigures(atAlarm), atEnd: peakFigures(atEnd) },
    calibration: calibration([...atAlarm, ...atEnd]),
    /** Lower 95 % bound of how often advice that claims the most came true, in the worst shape. */
    surestLow95: Math.min(...surest),
    cells,
  };
}

export default {
  name: "over-optimisation",
  run() {
    const { cells, ...worst } = alarms();
    const peak = peaks();
    return {
      draws: DRAWS,
      seed: SEED,
      goal: { falseAlarms: MOST_FALSE_ALARMS, pointsBelowPeakAt1000: MOST_POINTS, covered: LEAST_COVERED, surestCameTrue: MOST_SHARE },
      ...worst,
      ok:
        worst.worstFalseAlarms <= MOST_FALSE_ALARMS &&
        worst.worstMeanPointsAt1000 <= MOST_POINTS &&
        peak.worstCovered >= LEAST_COVERED &&
        peak.surestLow95 >= MOST_SHARE,
      cells,
      peak,
    };
  },
};
