import type { Sample } from "@trainwatch/core";
import { DETECTORS, monitorOf } from "@trainwatch/detect";
import { alarmsPer10kUpperBound, normalDraw, seededRandom, studentDraw } from "@trainwatch/stats";
import type { Random } from "@trainwatch/stats";

/** Runs of this length; the first points of each are a log's beginning, where baselines are short. */
export const RUN_POINTS = 2_000;
const RUNS = 50;
const SIGMA = 0.02;
/** detection.md L.1: at most so many alarms per 10,000 healthy points, on noise without memory. */
const GOAL_PER_10K = 0.1;

export interface Null {
  readonly name: string;
  /** Whether the goal binds here: for noise with memory the rate is reported and not promised. */
  readonly bound: boolean;
  readonly level: (index: number) => number;
  readonly grid: number;
  noise(random: Random): () => number;
}

export interface NullLine extends Readonly<Record<string, string | number | boolean>> {
  readonly null: string;
  readonly points: number;
  readonly alarms: number;
  readonly "per 10k": number;
  readonly "at most per 10k (95 %)": number;
  readonly bound: boolean;
}

const flat = (): number => 2.5;
const falling = (index: number): number => 2 + 9 * (1 + index) ** -0.3;
const white = (random: Random) => () => normalDraw(random);
const heavy = (random: Random) => () => studentDraw(random, 4) / 1.098;
const sharing = (rho: number) => (random: Random) => {
  let state = 0;
  return () => {
    state = rho * state + Math.sqrt(1 - rho * rho) * normalDraw(random);
    return state;
  };
};

export const SIMULATED_NULLS: readonly Null[] = [
  { name: "Gaussian", bound: true, level: flat, grid: 0, noise: white },
  { name: "t4", bound: true, level: flat, grid: 0, noise: heavy },
  { name: "Gaussian about a falling loss", bound: true, level: falling, grid: 0, noise: white },
  { name: "t4 about a falling loss", bound: true, level: falling, grid: 0, noise: heavy },
  { name: "Gaussian, printed to 1/64", bound: true, level: flat, grid: 1 / 64, noise: white },
  { name: "Gaussian, printed to 1/16 (a step above one sigma)", bound: true, level: flat, grid: 1 / 16, noise: white },
  { name: "AR(1) 0.5", bound: false, level: flat, grid: 0, noise: sharing(0.5) },
  { name: "AR(1) 0.9", bound: false, level: flat, grid: 0, noise: sharing(0.9) },
  { name: "AR(1) 0.9 about a falling loss", bound: false, level: falling, grid: 0, noise: sharing(0.9) },
];

export function simulatedNulls(): readonly NullLine[] {
  return SIMULATED_NULLS.map((null_) => {
    let alarms = 0;
    for (let run = 0; run < RUNS; run++) alarms += alarmsIn(samplesOf(null_, run));
    return nullLine(null_.name, RUNS * RUN_POINTS, alarms, null_.bound);
  });
}

export function nullLine(name: string, points: number, alarms: number, bound: boolean): NullLine {
  const per10k = Number(((alarms / points) * 10_000).toFixed(2));
  return {
    null: name,
    points,
    alarms,
    "per 10k": per10k,
    "at most per 10k (95 %)": Number(alarmsPer10kUpperBound(alarms, points).toFixed(2)),
    bound,
  };
}

/** Whether the goal holds on noise without memory. */
export function nullsHold(lines: readonly NullLine[]): boolean {
  const bound = lines.filter((line) => line.bound);
  const alarms = bound.reduce((sum, line) => sum + line.alarms, 0);
  return (
    bound.length > 0 &&
    alarmsPer10kUpperBound(
      alarms,
      bound.reduce((sum, line) => sum + line.points, 0),
    ) <= GOAL_PER_10K
  );
}

function samplesOf(null_: Null, run: number): Sample[] {
  return seriesOf(null_, run).map((value, step) => ({ metric: "loss", step, timeMs: null, value }));
}

/** One run's values. */
export function seriesOf({ noise, level, grid }: Null, run: number): readonly number[] {
  const draw = noise(seededRandom(7_000 + run));
  return Array.from({ length: RUN_POINTS }, (_, step) => {
    const value = level(step) * Math.exp(SIGMA * draw());
    return grid === 0 ? value : Math.round(value / grid) * grid;
  });
}

/** Null alarms of the loss-shift detector over one run. */
export function alarmsIn(samples: readonly Sample[]): number {
  const monitor = monitorOf(
    DETECTORS.filter((entry) => entry.id === "loss-shift"),
    { run: "bench/null", attempt: "a1" },
  );
  return new Set([...monitor.observe(samples), ...monitor.finish()].map((finding) => finding.id)).size;
}
