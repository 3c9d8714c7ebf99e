import type { Mute } from "./mute.ts";
import { dayIn, instantOf, weekdayOf } from "./zone-time.ts";
import type { CalendarDay } from "./zone-time.ts";

/** A stretch in which a calendar mutes, epoch ms. */
export interface MuteWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

type Calendar = Pick<Mute, "zone" | "weekdays" | "from" | "to" | "startsAtMs" | "endsAtMs">;

/** Every day of the week is looked at twice: a calendar that holds at all holds once a week. */
const DAYS_AHEAD = 15;

/** The window that holds now, if one does, and those that come next; fewer than asked for where the calendar ends before, none for a zone that this machine does not know. */
export function muteWindows(calendar: Calendar, nowMs: number, count: number): readonly MuteWindow[] {
  // A calendar that begins next month is looked at from then on.
  const today = dayIn(calendar.zone, Math.max(nowMs, calendar.startsAtMs ?? nowMs));
  const windows: MuteWindow[] = [];
  if (today === null) return windows;
  for (let ahead = -1; ahead < DAYS_AHEAD * Math.max(1, count) && windows.length < count; ahead++) {
    const window = windowOn(calendar, { ...today, day: today.day + ahead });
    if (window !== null && window.toMs > nowMs) windows.push(window);
  }
  return windows;
}

/** Whether now lies in one of its windows: in one of today, or in one of yesterday that goes on past midnight. */
export function isInWindow(calendar: Calendar, nowMs: number): boolean {
  const today = dayIn(calendar.zone, nowMs);
  if (today === null) return false;
  return [0, -1].some((offset) => {
    const window = windowOn(calendar, { ...today, day: today.day + offset });
    return window !== null && window.fromMs <= nowMs && nowMs < window.toMs;
  });
}

/** The window that begins on a day: at `from`, until `to` on that day or the next, within the calendar's own ends; null where none does. */
function windowOn({ zone, weekdays, from, to, startsAtMs, endsAtMs }: Calendar, day: CalendarDay): MuteWindow | null {
  if (!weekdays.includes(weekdayOf(day))) return null;
  const nights = to <= from ? 1 : 0;
  const begins = instantOf(zone, day, from);
  const ends = instantOf(zone, { ...day, day: day.day + nights }, to);
  if (begins === null || ends === null) return null;
  const window = { fromMs: Math.max(begins, startsAtMs ?? begins), toMs: Math.min(ends, endsAtMs ?? ends) };
  return window.toMs > window.fromMs ? window : null;
}
