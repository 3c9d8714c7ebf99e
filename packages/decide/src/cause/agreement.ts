/** Chance per run that a bad device shows it: log-uniform from here to 1 (detection.md B.6). */
const LEAST_CHANCE = 0.01;

/**
 * How many times likelier `runs` agreeing re-runs are on a bad device than on a good one: the mean of (1 - p)^n over p log-uniform between `least` and 1, in closed form
 * (-ln a - sum of (1 - a)^k / k for k = 1 to n) / -ln a. 0.79 after one run, 0.39 after ten, 0.05 after a hundred; never 0, so no number of them clears a device.
 */
export function agreementRatio(runs: number, least = LEAST_CHANCE): number {
  const whole = -Math.log(least);
  let rest = whole;
  let power = 1;
  for (let run = 1; run <= runs; run++) {
    power *= 1 - least;
    // Later terms are below what a double can tell.
    if (power / run < 1e-15) break;
    rest -= power / run;
  }
  return Math.max(rest / whole, 1e-6);
}
