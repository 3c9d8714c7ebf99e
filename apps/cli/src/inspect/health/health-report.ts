import type { EventGroup } from "./event-groups.ts";
import type { InspectedHealth } from "./read-health.ts";
import type { MetricReadings } from "./reading-summary.ts";

/** What `inspect --json` says of a machine's log or output. */
export interface ReportHealth {
  readonly path: string;
  readonly format: string;
  /** Events and readings in all; `omitted` of them are in no row. */
  readonly eventsTotal: number;
  readonly readingsTotal: number;
  readonly omitted: { readonly events: number; readonly readings: number };
  readonly events: readonly (Omit<EventGroup, "firstMs" | "lastMs"> & {
    readonly firstTime: string | null;
    readonly lastTime: string | null;
  })[];
  readonly readings: readonly MetricReadings[];
}

export function reportHealth({ path, format, events, readings }: InspectedHealth): ReportHealth {
  return {
    path,
    format,
    eventsTotal: events.total,
    readingsTotal: readings.total,
    omitted: { events: events.omitted, readings: readings.omitted },
    events: events.rows().map(({ firstMs, lastMs, ...group }) => ({ ...group, firstTime: isoTime(firstMs), lastTime: isoTime(lastMs) })),
    readings: readings.rows(),
  };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
