import { FLEET_FIELDS, type FleetCatalogueEntry } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** Every field that Trainwatch understands, how it reads it, and how many series of it there are. */
export const getCatalogue = readVerb.query(async ({ ctx }): Promise<readonly FleetCatalogueEntry[]> => {
  const metrics = await ctx.fleetViews.metrics();
  return FLEET_FIELDS.map((field) => ({ ...field, series: metrics.get(field.name) ?? 0 }));
});
