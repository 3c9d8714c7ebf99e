import { randomUUID } from "node:crypto";
import { type ChannelTest, type NoticeBody } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { sendNotice } from "../notices/send/send-notice.ts";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { channelInput } from "./schemas.ts";

/** Sends a test message now, once, and says what came of it. A receiver that refuses is an answer. */
export const testChannel = adminVerb.input(channelInput).mutation(async ({ ctx, input: { channelId } }): Promise<ChannelTest> => {
  // Sent before the transaction begins: it may take seconds, and nothing hangs on it.
  const channel = required(await ctx.store.records.channels.get(channelId), "channel", channelId);
  const startedAtMs = ctx.now();
  const result = await sendNotice(channel, testBody(ctx.actor.name, startedAtMs), startedAtMs);
  const answer = { ok: result.ok, status: result.status, message: result.message, tookMs: ctx.now() - startedAtMs };
  return recorded(ctx, "channels.test", () => Promise.resolve({ answer, target: `channel:${channelId}`, details: answer }));
});

function testBody(actor: string, nowMs: number): NoticeBody {
  return {
    version: 1,
    id: randomUUID(),
    reason: "opened",
    incidentId: 0,
    merged: [],
    severity: "info",
    title: `A test message of Trainwatch, sent by ${actor}. Nothing is wrong.`,
    run: null,
    attempt: null,
    since: new Date(nowMs).toISOString(),
    sinceStep: null,
    ongoing: false,
    flaps: 0,
    action: null,
    cause: null,
    ended: null,
    url: null,
  };
}
