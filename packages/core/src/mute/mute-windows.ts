import type { Mute } from "./mute.ts";
import { dayIn, instantOf, weekdayOf } from "./zone-time.ts";

/** A stretch in which a calendar mutes, epoch ms. */
export interface MuteWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Every day of the week is looked at twice: a calendar that holds at all holds once a week. */
const DAYS_AHEAD = 15;

/** The window that holds now, if one does, and those that come next; fewer than asked for where the calendar ends before, none for a zone that this machine does not know. */
export function muteWindows(
  { zone, weekdays, from, to, startsAtMs, endsAtMs }: Pick<Mute, "zone" | "weekdays" | "from" | "to" | "startsAtMs" | "endsAtMs">,
  nowMs: number,
  count: number,
): readonly MuteWindow[] {
  // A calendar that begins next month is looked at from then on.
  const today = dayIn(zone, Math.max(nowMs, startsAtMs ?? nowMs));
  if (today === null) return [];
  const nights = to <= from ? 1 : 0;
  const windows: MuteWindow[] = [];
  for (let ahead = -1; ahead < DAYS_AHEAD * Math.max(1, count) && windows.length < count; ahead++) {
    const day = { ...today, day: today.day + ahead };
    if (!weekdays.includes(weekdayOf(day))) continue;
    const begins = instantOf(zone, day, from);
    const ends = instantOf(zone, { ...day, day: day.day + nights }, to);
    if (begins === null || ends === null) continue;
    const fromMs = Math.max(begins, startsAtMs ?? begins);
    const toMs = Math.min(ends, endsAtMs ?? ends);
    if (toMs > fromMs && toMs > nowMs) windows.push({ fromMs, toMs });
  }
  return windows;
}
