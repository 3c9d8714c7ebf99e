const formats = new Map<string, Intl.DateTimeFormat>();

/** A day of some calendar. `month` 1 to 12; `day` may lie outside its month, as `Date.UTC` takes it. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Whether it names a zone of the IANA data base. An offset such as `+02:00` is no zone: it knows no daylight saving. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && formatOf(name) !== null;
}

/** Null for a name that this machine's zone data does not know. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
    return format;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What a clock on the wall of the zone shows at `atMs`, as epoch ms of the same reading in UTC; null for an unknown zone. */
function wallClock(zone: string, atMs: number): number | null {
  const format = formatOf(zone);
  if (format === null) return null;
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const seconds = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return seconds + (((atMs % 1_000) + 1_000) % 1_000);
}

/** The date in the zone at `atMs`; null for an unknown zone. */
export function dayIn(zone: string, atMs: number): CalendarDay | null {
  const wall = wallClock(zone, atMs);
  if (wall === null) return null;
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 1 Monday to 7 Sunday. */
export function weekdayOf({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}

const DAY_MS = 86_400_000;

/**
 * When the clocks of the zone show `HH:MM` on that day, epoch ms; null for an unknown zone. A time that comes twice (the clocks go back) is the first of the two; one
 * that never comes (they go forward) is as much later as they were moved: what Temporal calls "compatible".
 */
export function instantOf(zone: string, { year, month, day }: CalendarDay, clock: string): number | null {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  const wall = Date.UTC(year, month - 1, day, hours, minutes);
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((atMs) => {
    const shown = wallClock(zone, atMs);
    return shown === null ? null : shown - atMs;
  });
  const [before = null, after = null] = offsets;
  if (before === null || after === null) return null;
  const shows = [wall - before, wall - after].filter((atMs) => wallClock(zone, atMs) === wall);
  return shows.length > 0 ? Math.min(...shows) : wall - before;
}
