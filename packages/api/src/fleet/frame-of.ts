import { fieldOf, type FleetField } from "@trainwatch/core";
import type { FleetReadings, FleetSeriesInfo } from "@trainwatch/store";
import type { LayoutCore } from "./layout-core.ts";
import { type Judged, judge, NO_READING, rateBetween, stateIndex, worse } from "./readings.ts";

/** Series of one metric, and the rows of the layout that each is shown on. */
export interface MetricOnLayout {
  readonly field: FleetField | null;
  readonly isRate: boolean;
  readonly series: readonly FleetSeriesInfo[];
  readonly rows: readonly (readonly number[])[];
}

export function metricOnLayout(metric: string, series: readonly FleetSeriesInfo[], layout: LayoutCore): MetricOnLayout {
  const field = fieldOf(metric);
  const shown = series.flatMap((each) => {
    const rows = rowsOf(layout, each);
    return rows.length === 0 ? [] : [{ each, rows }];
  });
  return { field, isRate: field?.kind === "counter", series: shown.map(({ each }) => each), rows: shown.map(({ rows }) => rows) };
}

function rowsOf(layout: LayoutCore, { entity }: FleetSeriesInfo): readonly number[] {
  if (entity === null) return [];
  if (entity.kind === "gpu" || entity.kind === "link") return layout.rowsOf(entity.id.replace(/\/link\/.*$/, ""));
  return layout.rowsOfNode(entity.kind === "node" ? entity.id : entity.id.replace(/\/(port|switch)\/.*$/, ""));
}

/** One value a row of the layout; of several series that are shown on one row the largest value. `before` is for rates. */
export function frameOf(
  { field, series, rows }: MetricOnLayout,
  size: number,
  atMs: number,
  now: FleetReadings,
  before: FleetReadings | null,
): { readonly values: readonly (number | null)[]; readonly states: readonly number[] } {
  const judged: Judged[] = Array<Judged>(size).fill(NO_READING);
  for (let index = 0; index < series.length; index++) {
    const mine = before === null ? judge(field, now, index, atMs) : rateBetween(field, before, now, index, atMs);
    for (const row of rows[index] ?? []) judged[row] = worse(judged[row] ?? NO_READING, mine);
  }
  return { values: judged.map(({ value }) => value), states: judged.map(({ state }) => stateIndex(state)) };
}
