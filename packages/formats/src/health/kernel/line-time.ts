import { MAX_TIME_MS } from "@trainwatch/core";
import { abslClock } from "../../text/absl-clock.ts";
import { checkedCivilTime, readTimestamp, type CivilTime } from "../../text/timestamp.ts";
import { zoneClock } from "../../text/zone-clock.ts";
import type { HealthOptions } from "../contract.ts";

/** When a line says that it was written. `yearless` is a stamp of `abslClock`, `0223 16:24:18.000`. */
export type LineTime =
  | { readonly kind: "civil"; readonly time: CivilTime }
  | { readonly kind: "since-boot"; readonly seconds: number }
  | { readonly kind: "yearless"; readonly stamp: string }
  | { readonly kind: "unknown" };

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** 1 to 12; 0 where it is no English month. */
export function monthNumber(name: string): number {
  return MONTHS.indexOf(name) + 1;
}

/** `Feb 23 16:24:18` (syslog) as a time without a year; unknown where a part is out of range. */
export function yearlessTime(month: string, day: string, clock: string, fraction = ""): LineTime {
  const number = monthNumber(month);
  if (number === 0) return { kind: "unknown" };
  const digits = `${String(number).padStart(2, "0")}${day.trim().padStart(2, "0")}`;
  return { kind: "yearless", stamp: `${digits} ${clock}.${fraction.padEnd(3, "0").slice(0, 3)}` };
}

/** `Feb`, `23`, `16:24:18`, `2025`, in the log's zone. */
export function civilTime(month: string, day: string, clock: string, year: string): LineTime {
  const [hour = Number.NaN, minute = Number.NaN, second = Number.NaN] = clock.split(":").map(Number);
  const time = checkedCivilTime({
    year: Number(year),
    month: monthNumber(month),
    day: Number(day),
    hour,
    minute,
    second,
    millisecond: 0,
    offsetMinutes: null,
  });
  return time === undefined ? { kind: "unknown" } : { kind: "civil", time };
}

export function isoTime(text: string): LineTime {
  const time = readTimestamp(text, 0);
  return time === undefined ? { kind: "unknown" } : { kind: "civil", time };
}

/** Epoch ms of line times, null where unknown. @param onAssumed called once, when a time without a zone is taken as UTC */
export function lineClock(options: HealthOptions, onAssumed: () => void): (time: LineTime) => number | null {
  const zone = zoneClock({ timeZone: options.timeZone, onAssumed });
  const yearless = abslClock(options.referenceTimeMs, (time) => zone.epochMs(time));
  return (time) => {
    switch (time.kind) {
      case "civil":
        return storable(zone.epochMs(time.time));
      case "yearless":
        return storable(yearless(time.stamp));
      case "since-boot":
        return options.bootTimeMs === undefined ? null : storable(Math.round(options.bootTimeMs + time.seconds * 1000));
      case "unknown":
        return null;
    }
  };
}

function storable(ms: number | null): number | null {
  return ms !== null && ms >= 0 && ms <= MAX_TIME_MS ? ms : null;
}
