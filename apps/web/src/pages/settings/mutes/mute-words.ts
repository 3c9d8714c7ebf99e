import type { Mute } from "@trainwatch/core";
import { formatDate } from "@trainwatch/ui";

export const DAY_NAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** "every day", "Mon to Fri", "Tue, Sat". */
export function daysWord(weekdays: readonly number[]): string {
  const days = [...new Set(weekdays)].sort((a, b) => a - b);
  const name = (day: number | undefined): string => DAY_NAMES[(day ?? 1) - 1] ?? "";
  if (days.length === 7) return "every day";
  const isRun = days.length > 2 && days.every((day, index) => day === (days[0] ?? 0) + index);
  return isRun ? `${name(days[0])} to ${name(days.at(-1))}` : days.map(name).join(", ");
}

/** "Mon to Fri, 22:00 to 06:00 the next day, Europe/Berlin". */
export function muteWhen({ weekdays, from, to, zone }: Pick<Mute, "weekdays" | "from" | "to" | "zone">): string {
  return `${daysWord(weekdays)}, ${from} to ${to}${to <= from ? " the next day" : ""}, ${zone}`;
}

/** "from Dec 1, to Jan 6 2027" in the calendar's own zone; null where it has no ends. */
export function muteEnds({ startsAtMs, endsAtMs, zone }: Pick<Mute, "startsAtMs" | "endsAtMs" | "zone">, nowMs: number): string | null {
  const parts = [
    ...(startsAtMs === null ? [] : [`from ${formatDate(startsAtMs, zone, nowMs)}`]),
    ...(endsAtMs === null ? [] : [`to ${formatDate(endsAtMs - 1, zone, nowMs)}`]),
  ];
  return parts.length === 0 ? null : parts.join(" ");
}
