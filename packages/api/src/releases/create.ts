import { releaseSpecSchema, type ReleaseSummary } from "@trainwatch/core";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkSpec, nameTaken } from "./check-spec.ts";
import { releaseSummary } from "./release-summary.ts";

/** Asks which of some models is to ship: a baseline and the candidates that are compared with it. */
export const createRelease = operateVerb.input(releaseSpecSchema).mutation(({ ctx, input }): Promise<ReleaseSummary> =>
  recorded(ctx, "releases.create", async (records) => {
    const models = await checkSpec(records, input, null);
    const made = await records.releases.create(input, models, ctx.actor.name, ctx.now());
    if (made === null) throw nameTaken(input.name);
    return { answer: releaseSummary(made), target: `release:${made.releaseId}`, details: { spec: input, models } };
  }),
);
