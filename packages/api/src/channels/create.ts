import { AppError, type StoredChannel } from "@trainwatch/core";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkScope } from "../rules/check-rule.ts";
import { checkAddress } from "./check-address.ts";
import { maskedChannel, maskedUrl } from "./masked.ts";
import { createChannelInput } from "./schemas.ts";

const MOST_CHANNELS = 100;

/** Where notices go from now on; what is open already is told there when it changes. */
export const createChannel = adminVerb
  .input(createChannelInput)
  .mutation(({ ctx, input: { secret, ...channel } }): Promise<StoredChannel> =>
    recorded(ctx, "channels.create", async (records) => {
      checkAddress(channel.url);
      await checkScope(records, channel.scope);
      if ((await records.channels.list()).length >= MOST_CHANNELS)
        throw new AppError("bad-request", `There are ${MOST_CHANNELS} channels already. Delete some first.`);
      const made = await records.channels.create(channel, secret, ctx.actor.name, ctx.now());
      if (made === null) throw nameTaken(channel.name);
      return {
        answer: maskedChannel(made),
        target: `channel:${made.id}`,
        details: { ...channel, url: maskedUrl(channel.url), hasSecret: secret !== null },
      };
    }),
  );

export function nameTaken(name: string): AppError {
  return new AppError("conflict", `There is a channel “${name}” already.`, { details: { name } });
}
