import { sayInteger, sayQuantity, sayValue } from "@trainwatch/core";
import { counted } from "../incident-lines.ts";
import type { EventGroup } from "./event-groups.ts";
import type { InspectedHealth } from "./read-health.ts";
import type { MetricReadings } from "./reading-summary.ts";

/** Rows shown to people; `--json` has all. */
const SHOWN_EVENTS = 40;
const SHOWN_METRICS = 60;
const MOST_TEXT = 160;

/** A machine's log or output for people: what happened, the worst first, with what to do; then the range of each reading. */
export function healthLines({ path, format, events, readings }: InspectedHealth): readonly string[] {
  const groups = events.rows();
  // What nobody has given a meaning is counted, and left to --json.
  const known = readings.rows().filter(({ title }) => title !== null);
  const unknown = readings.rows().length - known.length;
  const parts = [
    format,
    ...(groups.length > 0 || readings.total === 0 ? [counted(events.total, "event")] : []),
    ...(readings.total > 0 ? [counted(readings.total, "reading")] : []),
  ];
  return [
    `${path} · ${parts.join(" · ")}`,
    ...groups.slice(0, SHOWN_EVENTS).flatMap((group) => eventLines(group)),
    ...more(groups.length - SHOWN_EVENTS, "kind of event", "kinds of events"),
    ...known.slice(0, SHOWN_METRICS).map((metric) => readingLine(metric)),
    ...more(known.length - SHOWN_METRICS, "metric", "metrics"),
    ...(unknown > 0
      ? [`  ${counted(unknown, "metric")} without a meaning to Trainwatch; --json lists ${unknown === 1 ? "it" : "them"}`]
      : []),
  ];
}

function eventLines(group: EventGroup): readonly string[] {
  const { severity, title, count, entity, action, line, text } = group;
  const where = entity === null ? "" : ` on ${entity.id}`;
  const times = count === 1 ? "" : `, ${sayInteger(count)} times`;
  return [
    `  ${severity}: ${title}${where}${times}${when(group)}`,
    ...(action === null ? [] : [`    ${action}.`]),
    `    line ${sayInteger(line)}: ${text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text}`,
  ];
}

function when({ firstMs, lastMs }: EventGroup): string {
  if (firstMs === null || lastMs === null) return ", time unknown";
  return firstMs === lastMs ? `, ${sayTime(firstMs)}` : `, ${sayTime(firstMs)} to ${sayTime(lastMs)}`;
}

/** `2025-02-23 16:24:18Z`. */
function sayTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

function readingLine({ name, title, unit, series, min, max, invalid }: MetricReadings): string {
  const range =
    min === null || max === null
      ? "no valid reading"
      : min === max
        ? sayQuantity(sayValue(min), unit)
        : `${sayValue(min)} to ${sayQuantity(sayValue(max), unit)}`;
  const doubt = invalid === 0 ? "" : `, ${sayInteger(invalid)} invalid`;
  return `  ${title ?? name}: ${range} · ${sayInteger(series)} series${doubt}`;
}

function more(count: number, one: string, many: string): readonly string[] {
  return count > 0 ? [`  … and ${sayInteger(count)} more ${count === 1 ? one : many}; --json lists them`] : [];
}
