import { metricName, type FleetFrames } from "@trainwatch/core";
import { z } from "zod";
import { readVerb } from "../procedures.ts";
import { frameOf, metricOnLayout } from "./frame-of.ts";
import { LOOK_BACK_MS, RATE_MS } from "./readings.ts";
import { isRange, metricInput, RANGE_FAULT, rangeInput } from "./schemas.ts";

const MAX_FRAMES = 120;

const framesInput = z
  .object({ metric: metricInput, ...rangeInput, count: z.number().int().min(2).max(MAX_FRAMES) })
  .refine(isRange, RANGE_FAULT);

/** One metric on every GPU at up to 120 times, equally far apart, the first at `fromMs` and the last at `toMs`. Rows are those of the layout as at the last. */
export const getFrames = readVerb
  .input(framesInput)
  .query(async ({ ctx, input: { fromMs, toMs, count, metric: asked } }): Promise<FleetFrames> => {
    const metric = metricName(asked);
    const layout = await ctx.fleetViews.layout(toMs);
    const shown = metricOnLayout(metric, await ctx.fleetViews.series(metric), layout);
    const { reader } = ctx.store.fleet;
    const places = shown.series.map(({ place }) => place);
    const atMs = Array.from({ length: count }, (_, index) => fromMs + ((toMs - fromMs) * index) / (count - 1));
    const now = await reader.atEach(places, atMs, LOOK_BACK_MS);
    const earlier = atMs.map((time) => Math.max(0, time - RATE_MS));
    const before = shown.isRate ? await reader.atEach(places, earlier, LOOK_BACK_MS) : null;
    const frames = now.map((readings, index) => frameOf(shown, layout.gpu.id.length, atMs[index] ?? 0, readings, before?.[index] ?? null));
    return {
      metric,
      isRate: shown.isRate,
      atMs,
      layoutDigest: layout.digest,
      values: frames.map(({ values }) => values),
      states: frames.map(({ states }) => states),
    };
  });
