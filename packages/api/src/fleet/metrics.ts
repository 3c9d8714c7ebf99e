import { fieldOf, type FleetMetricView } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** Unknown metrics beyond so many are left out: an exporter that puts a number into a name must not fill the list. */
const MAX_UNKNOWN = 2_000;

/** What there is to look at, fields that the catalogue knows first. */
export const listMetrics = readVerb.query(async ({ ctx }): Promise<readonly FleetMetricView[]> => {
  const found = [...(await ctx.fleetViews.metrics())].map(([name, series]): FleetMetricView & { readonly isKnown: boolean } => {
    const field = fieldOf(name);
    if (field === null) return { isKnown: false, name, title: name, unit: "", entity: "node", kind: "gauge", digits: 3, domain: null, series };
    const { title, unit, entity, kind, digits, domain } = field;
    return { isKnown: true, name, title, unit, entity, kind, digits, domain, series };
  });
  const known = found.filter(({ isKnown }) => isKnown).sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : a.name < b.name ? -1 : 1));
  const others = found.filter(({ isKnown }) => !isKnown).slice(0, MAX_UNKNOWN);
  return [...known, ...others].map(({ isKnown: _, ...view }) => view);
});
