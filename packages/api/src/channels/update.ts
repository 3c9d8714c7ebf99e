import { channelSchema, type StoredChannel } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkScope } from "../rules/check-rule.ts";
import { checkAddress } from "./check-address.ts";
import { nameTaken } from "./create.ts";
import { isMasked, maskedChannel } from "./masked.ts";
import { updateChannelInput } from "./schemas.ts";

export const updateChannel = adminVerb
  .input(updateChannelInput)
  .mutation(({ ctx, input: { channelId, secret, url, ...given } }): Promise<StoredChannel> =>
    recorded(ctx, "channels.update", async (records) => {
      const before = required(await records.channels.get(channelId), "channel", channelId);
      // A form sends back what it was shown.
      const address = url === undefined || isMasked(url, before.channel.url) ? before.channel.url : url;
      const channel = channelSchema.parse({ ...before.channel, ...given, url: address });
      checkAddress(address);
      await checkScope(records, channel.scope);
      const after = required(
        await records.channels.update(channelId, channel, secret === undefined ? before.secret : secret, ctx.now()),
        "channel",
        channelId,
      );
      if (after === "taken") throw nameTaken(channel.name);
      const details = { before: maskedChannel(before).channel, after: maskedChannel(after).channel, secretChanged: secret !== undefined };
      return { answer: maskedChannel(after), target: `channel:${channelId}`, details };
    }),
  );
