/** A date and time as written; `offsetMinutes` is null where no zone is named. Month counts from 1. */
export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  readonly offsetMinutes: number | null;
}

const DATE_TIME = /(\d{4})-?(\d{2})-?(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?/y;

/** Reads `2026-11-02 10:11:12.123456`, `2023-11-29T08:50:46,232+02:00`, `20261102 10:11:12` at exactly `at`; undefined when none or out of range. */
export function readTimestamp(text: string, at: number): CivilTime | undefined {
  DATE_TIME.lastIndex = at;
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  return checkedCivilTime({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: fraction === undefined ? 0 : Number(fraction.padEnd(3, "0").slice(0, 3)),
    offsetMinutes: zone === undefined ? null : offsetMinutes(zone),
  });
}

/** The same value when every field is in range (a leap second 60 is read as 59), else undefined. */
export function checkedCivilTime(time: CivilTime): CivilTime | undefined {
  const { year, month, day, hour, minute, second } = time;
  const inRange = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60;
  if (!inRange) return undefined;
  return second === 60 ? { ...time, second: 59 } : time;
}

/** Minutes east of UTC of `Z`, `+02:00` or `-0530`. */
function offsetMinutes(zone: string): number {
  if (zone === "Z") return 0;
  const sign = zone.startsWith("-") ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
}
