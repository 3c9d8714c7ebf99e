import { BUCKET_COUNTS, type SeriesWindow, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";

const MAX_METRICS = 32;
const MAX_RANKS = 16;

const windowInput = z.object({
  runId: idInput,
  metrics: z.array(textSchema.min(1).max(256)).min(1).max(MAX_METRICS),
  axis: z.enum(["step", "tokens", "time"]).default("step"),
  /** Ends on the asked axis, both included; null is open. */
  from: z.number().nullable().default(null),
  to: z.number().nullable().default(null),
  buckets: z.literal(BUCKET_COUNTS).default(1024),
  /** `all`: superseded steps too, as lines of their own. `effective`: only what the weights of today have seen. Or attempts by name. */
  attempts: z.union([z.enum(["effective", "all"]), z.array(textSchema.max(128)).min(1).max(64)]).default("all"),
  /** Only these ranks, each as a line of its own; left out: all, as bands. */
  ranks: z.array(textSchema.min(1).max(32)).min(1).max(MAX_RANKS).optional(),
});

/** A window of some metrics at the resolution asked for; statistics come from every stored point. */
export const seriesWindow = readVerb
  .input(windowInput)
  .query(({ ctx, input: { ranks, ...question } }): Promise<SeriesWindow> =>
    ctx.store.samples.window(ranks === undefined ? question : { ...question, ranks }),
  );
