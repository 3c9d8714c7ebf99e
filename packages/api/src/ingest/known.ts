import { textSchema } from "@trainwatch/core";
import { z } from "zod";
import { ingestVerb } from "../procedures.ts";

/** A sender asks about one block of a log at a time. */
export const MAX_KNOWN_SOURCES = 5_000;

const knownInput = z.object({ sources: z.array(textSchema.min(1).max(256)).max(MAX_KNOWN_SOURCES) });

/**
 * Of these sources those that pushes were stored under. A sender whose sources name what they hold (a hash of a log up to a line) learns
 * from it how far it came the last time. A mutation only so that a long list goes in a body.
 */
export const known = ingestVerb.input(knownInput).mutation(async ({ ctx, input }): Promise<{ readonly known: readonly string[] }> => {
  return { known: await ctx.store.ingest.knownSources(input.sources) };
});
