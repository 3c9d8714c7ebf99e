export interface OnsetEstimate {
  /** Index into the samples of the likeliest first affected one, and of the lower 5 % end of the posterior. */
  readonly likeliest: number;
  readonly lower: number;
  readonly shape: "jump" | "ramp";
}

/** Sizes in sigma, slopes in sigma a sample: the templates of detection.md E.2. */
const JUMPS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96] as const;
const RAMPS = [0.02, 0.05, 0.1, 0.2, 0.5] as const;
/** Uniform prior over the last so many samples (detection.md E.2). */
const LOOK_BACK = 150;
const DEGREES = 4;
const LOWER_SHARE = 0.05;
/** A slow start is called a ramp only when it is so many times likelier: most faults jump. */
const RAMP_ODDS = 3;

/** Conformal widening: on injected ramps the plain lower end lies before the onset in about 90 % of cases only (detection.md E.2 saw 0.86 to 0.95). */
const RAMP_STRETCH = 2;

/**
 * Posterior of the onset from standardised residuals that end at the alarm: likelihood ratio of each template from each start against no change, under
 * Student-t noise (four degrees), uniform over starts and templates. `factor` (the long-run factor) widens the noise where neighbouring samples share it.
 *
 * @param residuals in sigma about the frozen baseline, oldest first, the newest at the alarm.
 */
export function estimateOnset(residuals: readonly number[], factor: number): OnsetEstimate {
  const first = Math.max(0, residuals.length - LOOK_BACK);
  const count = residuals.length - first;
  const recent = residuals.slice(first).map((residual) => residual / factor);
  const healthy = recent.map((residual) => logDensity(residual));
  const jumpMass = JUMPS.map((size) => logRatios(recent, healthy, () => size));
  const rampMass = RAMPS.map((slope) => logRatios(recent, healthy, (age) => slope * (age + 1)));
  const peak = Math.max(...jumpMass.flat(), ...rampMass.flat());
  const jump = Array.from({ length: count }, (_, start) => sumAt(jumpMass, start, peak) / JUMPS.length);
  const ramp = Array.from({ length: count }, (_, start) => sumAt(rampMass, start, peak) / RAMPS.length);
  const total = jump.map((mass, start) => mass + (ramp[start] ?? 0));
  const isRamp = sum(ramp) > RAMP_ODDS * sum(jump);
  const rampShare = sum(ramp) / (sum(ramp) + sum(jump));
  const reach = (count - 1 - lowerEnd(total)) * (1 + (RAMP_STRETCH - 1) * rampShare);
  return {
    likeliest: first + indexOfLargest(isRamp ? ramp : jump),
    lower: first + Math.max(0, Math.floor(count - 1 - reach)),
    shape: isRamp ? "ramp" : "jump",
  };
}

/** Log likelihood ratio of the template from each start on; the newest sample is index n - 1. */
function logRatios(residuals: readonly number[], healthy: readonly number[], template: (age: number) => number): number[] {
  const count = residuals.length;
  return Array.from({ length: count }, (_, start) => {
    let sum = 0;
    for (let index = start; index < count; index++) {
      sum += logDensity((residuals[index] ?? 0) - template(index - start)) - (healthy[index] ?? 0);
    }
    return sum;
  });
}

function logDensity(residual: number): number {
  return -((DEGREES + 1) / 2) * Math.log1p((residual * residual) / DEGREES);
}

function sumAt(masses: readonly (readonly number[])[], start: number, peak: number): number {
  return masses.reduce((total, mass) => total + Math.exp((mass[start] ?? Number.NEGATIVE_INFINITY) - peak), 0);
}

function lowerEnd(masses: readonly number[]): number {
  const target = LOWER_SHARE * sum(masses);
  let running = 0;
  for (let start = 0; start < masses.length; start++) {
    running += masses[start] ?? 0;
    if (running >= target) return start;
  }
  return masses.length - 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function indexOfLargest(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value > (values[best] ?? 0) ? index : best), 0);
}
