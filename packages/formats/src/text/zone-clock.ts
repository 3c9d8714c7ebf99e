import { AppError } from "@trainwatch/core";
import type { CivilTime } from "./timestamp.ts";

const MINUTE_MS = 60_000;
/** Zone rules change at quarter hours at the finest, so one look-up serves a quarter hour. */
const QUARTER_MS = 15 * MINUTE_MS;

export interface ZoneClock {
  /** Epoch milliseconds of a civil time: by its own offset, else in the clock's zone. */
  epochMs(time: CivilTime): number;
}

export interface ZoneClockOptions {
  /** IANA zone; UTC when absent. */
  readonly timeZone: string | undefined;
  /** Called once, when the first time that names no zone is read and no zone was given. */
  readonly onAssumed: () => void;
}

/**
 * Turns log times into epoch milliseconds. An hour that occurs twice (clocks set back) is taken as its first occurrence
 * unless that lies before the time read last; an hour that never occurs is moved on by the jump.
 * @throws AppError `bad-request` when the zone is unknown.
 */
export function zoneClock(options: ZoneClockOptions): ZoneClock {
  const { timeZone } = options;
  const offsetAt = timeZone === undefined ? undefined : zoneOffset(timeZone);
  let assumed = false;
  let quarter = Number.NaN;
  let offsets: readonly number[] = [0];
  let last = Number.NEGATIVE_INFINITY;

  function inZone(asUtc: number): number {
    if (offsetAt === undefined) {
      if (!assumed) options.onAssumed();
      assumed = true;
      return asUtc;
    }
    const key = Math.floor(asUtc / QUARTER_MS);
    if (key !== quarter) {
      quarter = key;
      offsets = possibleOffsets(asUtc, offsetAt);
    }
    const candidates = offsets.map((offset) => asUtc - offset);
    return candidates.find((candidate) => candidate >= last) ?? candidates[0] ?? asUtc;
  }

  return {
    epochMs(time) {
      const asUtc = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second, time.millisecond);
      const epoch = time.offsetMinutes === null ? inZone(asUtc) : asUtc - time.offsetMinutes * MINUTE_MS;
      last = epoch;
      return epoch;
    },
  };
}

/** Offsets (ms east of UTC) under which the wall time can be read, earliest instant first; never empty. */
function possibleOffsets(asUtc: number, offsetAt: (epochMs: number) => number): readonly number[] {
  const before = offsetAt(asUtc - 24 * 60 * MINUTE_MS);
  const after = offsetAt(asUtc + 24 * 60 * MINUTE_MS);
  const valid = [...new Set([before, after])].filter((offset) => offsetAt(asUtc - offset) === offset);
  if (valid.length === 0) return [before];
  return valid.toSorted((a, b) => b - a);
}

/** The zone's offset at an instant, in ms east of UTC. */
function zoneOffset(timeZone: string): (epochMs: number) => number {
  const format = dateTimeFormat(timeZone);
  return (epochMs) => {
    const field: Record<string, number> = {};
    for (const part of format.formatToParts(epochMs)) field[part.type] = Number(part.value);
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
  };
}

function dateTimeFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch (cause) {
    throw new AppError("bad-request", `"${timeZone}" is not a known time zone; give an IANA name such as Europe/Berlin.`, { cause });
  }
}
