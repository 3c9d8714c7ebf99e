import { checkedCivilTime, type CivilTime } from "./timestamp.ts";

/** `I0312 04:16:01.028608 140178689611520 logging_writer.py:48] ...`: level, month and day, time; no year, no zone. */
const ABSL = /^[IWEFD](\d{4} \d{2}:\d{2}:\d{2}\.\d{3})\d{0,6} +\d+ /;
const DAY_MS = 86_400_000;

/** The time stamp of an absl (glog) line, as `0312 04:16:01.028`; undefined for other lines. */
export function abslStamp(text: string): string | undefined {
  return ABSL.exec(text)?.[1];
}

/**
 * Epoch ms of absl stamps. They name no year: it is the last one in which the stamp is not more than a day after
 * `referenceTimeMs`. Without a reference there is no time (null), because a guessed year is worse than none.
 */
export function abslClock(referenceTimeMs: number | undefined, epochMs: (time: CivilTime) => number): (stamp: string) => number | null {
  return (stamp) => {
    if (referenceTimeMs === undefined) return null;
    const latest = new Date(referenceTimeMs + DAY_MS).getUTCFullYear();
    for (const year of [latest, latest - 1]) {
      const civil = civilTime(stamp, year);
      if (civil === undefined) return null;
      const at = Date.UTC(year, civil.month - 1, civil.day, civil.hour, civil.minute);
      if (at <= referenceTimeMs + DAY_MS) return epochMs(civil);
    }
    return null;
  };
}

function civilTime(stamp: string, year: number): CivilTime | undefined {
  const digits = (from: number, to: number): number => Number(stamp.slice(from, to));
  return checkedCivilTime({
    year,
    month: digits(0, 2),
    day: digits(2, 4),
    hour: digits(5, 7),
    minute: digits(8, 10),
    second: digits(11, 13),
    millisecond: digits(14, 17),
    offsetMinutes: null,
  });
}
