import { required } from "../not-found.ts";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { maskedChannel } from "./masked.ts";
import { channelInput } from "./schemas.ts";

/** Nothing goes there any more, also what still waits; its delivery log goes with it. To keep the log, turn the channel off instead. */
export const deleteChannel = adminVerb.input(channelInput).mutation(({ ctx, input: { channelId } }) =>
  recorded(ctx, "channels.delete", async (records) => {
    const stored = required(await records.channels.get(channelId), "channel", channelId);
    if (!(await records.channels.delete(channelId))) required(null, "channel", channelId);
    return { answer: { channelId }, target: `channel:${channelId}`, details: { channel: maskedChannel(stored).channel } };
  }),
);
