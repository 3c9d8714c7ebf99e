import { excerpt, parseNumber, secondsOfMs } from "./number-token.ts";

/** Durations with their unit glued on: `168.54ms`, `56.129s`. */
const DURATION = /^(.*?)(ms|s)$/;

export interface KeyValues {
  readonly values: readonly (readonly [name: string, value: number])[];
  /** Fields whose value is no number, as `name: text`. */
  readonly unreadable: readonly string[];
}

/**
 * Reads `key:value` words. A duration becomes seconds under `key (s)`, so that one series has one unit;
 * a duration that is not a number (`step_avg:nanms`, before the first timed step) is missing and no value.
 */
export function readKeyValues(words: readonly string[], nameOf: (name: string) => string): KeyValues {
  const values: [string, number][] = [];
  const unreadable: string[] = [];
  for (const word of words) {
    const colon = word.lastIndexOf(":");
    const key = word.slice(0, Math.max(colon, 0));
    const token = word.slice(colon + 1);
    const number = parseNumber(token);
    if (number !== undefined) {
      values.push([nameOf(key), number]);
      continue;
    }
    const seconds = durationSeconds(token);
    if (seconds === undefined) unreadable.push(`${excerpt(key)}: ${excerpt(token)}`);
    else if (!Number.isNaN(seconds)) values.push([nameOf(`${key} (s)`), seconds]);
  }
  return { values, unreadable };
}

/** Seconds of `168.54ms` or `56.129s`; NaN of `nanms`; undefined when it is no duration. */
function durationSeconds(token: string): number | undefined {
  const [, digits = "", unit] = DURATION.exec(token) ?? [];
  const number = parseNumber(digits);
  if (number === undefined) return undefined;
  return unit === "ms" ? secondsOfMs(number) : number;
}
