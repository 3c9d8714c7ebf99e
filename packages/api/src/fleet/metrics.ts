import { fieldOf, type FleetMetricView } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** Unknown metrics beyond so many are left out: an exporter that puts a number into a name must not fill the list. */
const MAX_UNKNOWN = 2_000;

/** What there is to look at, fields that the catalogue knows first. */
export const listMetrics = readVerb.query(async ({ ctx }): Promise<readonly FleetMetricView[]> => {
  const known: FleetMetricView[] = [];
  const others: FleetMetricView[] = [];
  for (const [name, series] of await ctx.fleetViews.metrics()) {
    const field = fieldOf(name);
    if (field === null) {
      others.push({ name, title: name, unit: "", entity: "node", kind: "gauge", digits: 3, domain: null, series });
      continue;
    }
    const { title, unit, entity, kind, digits, domain } = field;
    known.push({ name, title, unit, entity, kind, digits, domain, series });
  }
  known.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : a.name < b.name ? -1 : 1));
  return [...known, ...others.slice(0, MAX_UNKNOWN)];
});
