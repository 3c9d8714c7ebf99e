import type { FleetTimeline } from "@trainwatch/core";
import { z } from "zod";
import { readVerb } from "../procedures.ts";
import { isRange, RANGE_FAULT, rangeInput } from "./schemas.ts";

const timelineInput = z.object({ ...rangeInput, buckets: z.number().int().min(1).max(1_024).default(256) }).refine(isRange, RANGE_FAULT);

/** How many bursts of events began when, by severity: for the time slider. */
export const getTimeline = readVerb
  .input(timelineInput)
  .query(async ({ ctx, input: { fromMs, toMs, buckets } }): Promise<FleetTimeline> => {
    const counts = await ctx.store.records.fleet.eventCounts(fromMs, toMs, buckets);
    const of = (severity: string): number[] => {
      const column = Array<number>(buckets).fill(0);
      for (const row of counts) if (row.severity === severity) column[row.bucket] = row.bursts;
      return column;
    };
    return { fromMs, toMs, critical: of("critical"), warning: of("warning"), info: of("info") };
  });
