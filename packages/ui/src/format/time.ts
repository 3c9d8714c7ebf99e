import { MISSING } from "./number.ts";

/** An IANA zone name. Times are shown with it everywhere: a time without a zone is a guess. */
export type Zone = string;

interface ClockParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly zone: string;
}

const formats = new Map<Zone, Intl.DateTimeFormat>();
function clockFormat(zone: Zone): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
    });
    formats.set(zone, format);
  }
  return format;
}

function clockParts(ms: number, zone: Zone): ClockParts {
  const found = new Map(
    clockFormat(zone)
      .formatToParts(ms)
      .map((part) => [part.type, part.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => found.get(type) ?? "";
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
    zone: part("timeZoneName"),
  };
}

/** Beyond this a Date is invalid and a formatter throws. */
const MAX_TIME_MS = 8.64e15;
const shown = (ms: number | null | undefined): ms is number => ms !== null && ms !== undefined && Math.abs(ms) <= MAX_TIME_MS;

/** `03:14:20`. Only beside a date and a zone. */
export function formatClock(ms: number | null | undefined, zone: Zone): string {
  if (!shown(ms)) return MISSING;
  const { hour, minute, second } = clockParts(ms, zone);
  return `${hour}:${minute}:${second}`;
}

/** `Mar 12`, with the year where it is not that of `nowMs`. */
export function formatDate(ms: number | null | undefined, zone: Zone, nowMs: number): string {
  if (!shown(ms)) return MISSING;
  const { year, month, day } = clockParts(ms, zone);
  return clockParts(nowMs, zone).year === year ? `${month} ${day}` : `${month} ${day} ${year}`;
}

/** `Mar 12 03:14:20 UTC`. */
export function formatDateTime(ms: number | null | undefined, zone: Zone, nowMs: number): string {
  if (!shown(ms)) return MISSING;
  return `${formatDate(ms, zone, nowMs)} ${formatClock(ms, zone)} ${clockParts(ms, zone).zone}`;
}

/** `03:14:20` today, `Mar 11 23:31` on another day: for columns whose head or foot names the zone. */
export function formatMoment(ms: number | null | undefined, zone: Zone, nowMs: number): string {
  if (!shown(ms)) return MISSING;
  const then = clockParts(ms, zone);
  const now = clockParts(nowMs, zone);
  const sameDay = then.year === now.year && then.month === now.month && then.day === now.day;
  return sameDay ? `${then.hour}:${then.minute}:${then.second}` : `${formatDate(ms, zone, nowMs)} ${then.hour}:${then.minute}`;
}

/** ISO 8601 in UTC, for a title, a link or an export. */
export function formatIso(ms: number | null | undefined): string {
  return shown(ms) ? new Date(ms).toISOString() : MISSING;
}

/** `UTC`, `CET`, `GMT+9`: what the zone is called at that instant. */
export function zoneName(zone: Zone, ms: number): string {
  return clockParts(ms, zone).zone;
}

const OFFSET_UNITS = ["year", "month", "day", "hour", "minute", "second"] as const;
const offsetFormats = new Map<Zone, Intl.DateTimeFormat>();

/** How far the zone's clocks are ahead of UTC at that instant. */
export function zoneOffsetMs(zone: Zone, ms: number): number {
  let format = offsetFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      hourCycle: "h23",
    });
    offsetFormats.set(zone, format);
  }
  const found = new Map(format.formatToParts(ms).map((part) => [part.type, Number(part.value)]));
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = OFFSET_UNITS.map((unit) => found.get(unit));
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}
