import { muteSchema, type StoredMute } from "@trainwatch/core";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkMute } from "./check-mute.ts";

/** A calendar in which nobody is told. Findings and incidents are made all the same. */
export const createMute = operateVerb.input(muteSchema).mutation(({ ctx, input }): Promise<StoredMute> =>
  recorded(ctx, "mutes.create", async (records) => {
    await records.mutes.lock();
    await checkMute(records, input, null);
    const made = await records.mutes.create(input, ctx.actor.name, ctx.now());
    return { answer: made, target: `mute:${made.id}`, details: { mute: input } };
  }),
);
