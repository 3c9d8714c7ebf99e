import { fieldsOf, FLEET_SIGNALS, type FleetCoverage } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { coverageIndex } from "./coverage-of.ts";
import { lastSamples, nodeView } from "./node-view.ts";
import { atInput } from "./schemas.ts";

/** Which signals are missing, stale, sentinel or constant on which nodes, and which faults nobody can see there (E7). */
export const getCoverage = readVerb.input(atInput).query(async ({ ctx, input }): Promise<FleetCoverage> => {
  const atMs = input.atMs ?? ctx.now();
  const layout = await ctx.fleetViews.layout(atMs);
  const columns = await ctx.fleetViews.coverage(layout, atMs);
  const newest = await lastSamples(ctx.store, ctx.fleetViews, layout, atMs);
  return {
    atMs,
    nodes: layout.nodes.map((node, place) => nodeView(node, newest[place] ?? null)),
    signals: FLEET_SIGNALS.map(({ name, title, blindTo }, place) => ({
      name,
      title,
      blindTo,
      fields: fieldsOf(name).map((field) => field.name),
      states: (columns[place] ?? []).map(coverageIndex),
    })),
  };
});
