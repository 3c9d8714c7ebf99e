import { fieldOf, type FleetField } from "@trainwatch/core";
import type { FleetSeriesInfo, SeriesPlace } from "@trainwatch/store";
import type { LayoutCore } from "../fleet/layout-core.ts";
import { nodeOfEntity } from "../fleet/node-view.ts";

/** What of a field's column does not change from tick to tick. */
export interface ColumnPlan {
  readonly field: FleetField;
  readonly entities: readonly string[];
  readonly labels: readonly string[];
  readonly places: readonly SeriesPlace[];
  /** Index of each entity's node in a layout, -1 where it knows none. */
  nodesOf(layout: LayoutCore): Int32Array;
}

/** Null for a metric that the catalogue does not know, and for one without a single entity. */
export function columnPlan(metric: string, series: readonly FleetSeriesInfo[]): ColumnPlan | null {
  const field = fieldOf(metric);
  const known = series.flatMap(({ entity, place, labels }) => (entity === null ? [] : [{ entity, place, labels }]));
  if (field === null || known.length === 0) return null;
  let held: { readonly layout: LayoutCore; readonly nodes: Int32Array } | null = null;
  return {
    field,
    entities: known.map(({ entity }) => entity.id),
    labels: labelTexts(known.map(({ entity, labels }) => ({ id: entity.id, labels }))),
    places: known.map(({ place }) => place),
    nodesOf(layout) {
      if (held?.layout !== layout)
        held = { layout, nodes: Int32Array.from(known, ({ entity }) => nodeOfEntity(layout, entity.kind, entity.id)) };
      return held.nodes;
    },
  };
}

/** Of the labels those that tell series of one entity apart; "" where an entity has one series. */
function labelTexts(series: readonly { readonly id: string; readonly labels: Readonly<Record<string, string>> }[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { id } of series) counts.set(id, (counts.get(id) ?? 0) + 1);
  const shared = series.filter(({ id }) => (counts.get(id) ?? 0) > 1);
  if (shared.length === 0) return series.map(() => "");
  const names = differing(shared);
  return series.map(({ id, labels }) => ((counts.get(id) ?? 0) > 1 ? names.map((name) => `${name}=${labels[name] ?? ""}`).join(",") : ""));
}

/** Names of labels that have more than one value within some entity. */
function differing(series: readonly { readonly id: string; readonly labels: Readonly<Record<string, string>> }[]): readonly string[] {
  const first = new Map<string, Readonly<Record<string, string>>>();
  const names = new Set<string>();
  for (const { id, labels } of series) {
    const known = first.get(id);
    if (known === undefined) first.set(id, labels);
    else for (const name of [...Object.keys(known), ...Object.keys(labels)]) if (known[name] !== labels[name]) names.add(name);
  }
  return [...names].sort();
}
