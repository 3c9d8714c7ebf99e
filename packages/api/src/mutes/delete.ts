import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

/** What it kept back and still goes on is told within a minute. */
export const deleteMute = operateVerb.input(z.object({ muteId: idInput })).mutation(({ ctx, input: { muteId } }) =>
  recorded(ctx, "mutes.delete", async (records) => {
    await records.mutes.lock();
    const { mute } = required(await records.mutes.get(muteId), "mute", muteId);
    await records.mutes.delete(muteId);
    return { answer: { muteId }, target: `mute:${muteId}`, details: { mute } };
  }),
);
