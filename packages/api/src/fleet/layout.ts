import type { FleetLayout } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { lastSamples, nodeView } from "./node-view.ts";
import { atInput } from "./schemas.ts";

/** Who is where as at a time: nodes, GPUs, and which run's rank each GPU is. */
export const getLayout = readVerb.input(atInput).query(async ({ ctx, input }): Promise<FleetLayout> => {
  const atMs = input.atMs ?? ctx.now();
  const layout = await ctx.fleetViews.layout(atMs);
  const newest = await lastSamples(ctx.store, ctx.fleetViews, layout, atMs);
  const { digest, nodes, models, runs, gpu } = layout;
  return { atMs, digest, nodes: nodes.map((node, place) => nodeView(node, newest[place] ?? null)), models, runs, gpu };
});
