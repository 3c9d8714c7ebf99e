import { sayInteger } from "@trainwatch/core";

const S_A_MIN = 60;
const S_AN_HOUR = 3_600;

/** Seconds in the unit that reads best: `95 s`, `12 min`, `2.4 h`. */
export function sayDuration(seconds: number): string {
  if (seconds < 2 * S_A_MIN) return `${sayInteger(seconds)} s`;
  return seconds < 2 * S_AN_HOUR ? `${sayInteger(seconds / S_A_MIN)} min` : `${(seconds / S_AN_HOUR).toFixed(1)} h`;
}
