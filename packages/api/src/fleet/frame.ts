import { metricName, type FleetFrame } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { frameOf, metricOnLayout } from "./frame-of.ts";
import { LOOK_BACK_MS, RATE_MS } from "./readings.ts";
import { atInput, metricInput } from "./schemas.ts";

/** One metric on every GPU at one time. An older name of a field is taken too. */
export const getFrame = readVerb.input(atInput.extend({ metric: metricInput })).query(async ({ ctx, input }): Promise<FleetFrame> => {
  const atMs = input.atMs ?? ctx.now();
  const metric = metricName(input.metric);
  const layout = await ctx.fleetViews.layout(atMs);
  const shown = metricOnLayout(metric, await ctx.fleetViews.series(metric), layout);
  const { reader } = ctx.store.fleet;
  const places = shown.series.map(({ place }) => place);
  const now = await reader.at(places, atMs, LOOK_BACK_MS);
  const before = shown.isRate ? await reader.at(places, atMs - RATE_MS, LOOK_BACK_MS) : null;
  const { values, states } = frameOf(shown, layout.gpu.id.length, atMs, now, before);
  return { metric, isRate: shown.isRate, atMs, layoutDigest: layout.digest, values, states };
});
