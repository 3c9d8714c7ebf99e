import { muteSchema, type StoredMute } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkMute } from "./check-mute.ts";

const updateInput = z.object({ muteId: idInput, mute: muteSchema });

/** Puts another calendar in its place, whole. */
export const updateMute = operateVerb.input(updateInput).mutation(({ ctx, input: { muteId, mute } }): Promise<StoredMute> =>
  recorded(ctx, "mutes.update", async (records) => {
    await records.mutes.lock();
    const before = required(await records.mutes.get(muteId), "mute", muteId);
    await checkMute(records, mute, muteId);
    const after = required(await records.mutes.update(muteId, mute), "mute", muteId);
    return { answer: after, target: `mute:${muteId}`, details: { before: before.mute, after: mute } };
  }),
);
