import { zoneOffsetMs, type Zone } from "@trainwatch/ui";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const SNOOZE_CHOICES = ["30 min", "2 h", "8 h", "morning"] as const;
export type SnoozeChoice = (typeof SNOOZE_CHOICES)[number];

/** Eight in the morning: when the day shift reads the inbox. */
const MORNING_HOUR = 8;

/** When a snooze ends (epoch ms). `morning` is the next eight o'clock in the page's zone. */
export function snoozeUntil(choice: SnoozeChoice, nowMs: number, zone: Zone): number {
  switch (choice) {
    case "30 min":
      return nowMs + 30 * MINUTE;
    case "2 h":
      return nowMs + 2 * HOUR;
    case "8 h":
      return nowMs + 8 * HOUR;
    case "morning":
      return nextMorning(nowMs, zone);
  }
}

function nextMorning(nowMs: number, zone: Zone): number {
  const localMs = nowMs + zoneOffsetMs(zone, nowMs);
  const todayMs = Math.floor(localMs / DAY) * DAY + MORNING_HOUR * HOUR;
  const wallMs = todayMs > localMs ? todayMs : todayMs + DAY;
  // The offset may change overnight: the one that holds then says which instant the wall clock means.
  const guessMs = wallMs - zoneOffsetMs(zone, nowMs);
  return wallMs - zoneOffsetMs(zone, guessMs);
}
