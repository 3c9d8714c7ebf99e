import type { ChannelHealth } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** Of each channel: what waits, when something was last delivered, and what failed since. */
export const channelHealth = readVerb.query(({ ctx }): Promise<readonly ChannelHealth[]> => ctx.store.records.notices.health());
