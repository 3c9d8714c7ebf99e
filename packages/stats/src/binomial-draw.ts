import { logChoose } from "./log-factorial.ts";
import type { Random } from "./random.ts";

/**
 * A binomial draw by inversion from the mode outward (Kemp 1986): one uniform, about √(trials · share · (1 − share)) steps. `trials` whole,
 * `share` 0 to 1.
 */
export function binomialDraw(random: Random, trials: number, share: number): number {
  if (trials <= 0 || share <= 0) return 0;
  if (share >= 1) return trials;
  const mode = Math.min(trials, Math.floor((trials + 1) * share));
  const odds = share / (1 - share);
  const atMode = Math.exp(logChoose(trials, mode) + mode * Math.log(share) + (trials - mode) * Math.log1p(-share));
  let left = random() - atMode;
  if (left < 0) return mode;
  let [low, high, atLow, atHigh] = [mode, mode, atMode, atMode];
  while (low > 0 || high < trials) {
    if (high < trials) {
      atHigh *= ((trials - high) / (high + 1)) * odds;
      high++;
      left -= atHigh;
      if (left < 0) return high;
    }
    if (low > 0) {
      atLow *= low / ((trials - low + 1) * odds);
      low--;
      left -= atLow;
      if (left < 0) return low;
    }
    // What rounding has left over of the uniform lies in no place: give it to the mode.
    if (atHigh < 1e-18 && atLow < 1e-18) return mode;
  }
  return mode;
}
