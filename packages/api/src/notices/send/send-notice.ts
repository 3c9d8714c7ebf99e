import type { NoticeBody } from "@trainwatch/core";
import type { SecretChannel } from "@trainwatch/store";
import { postJson, type PostResult } from "./post-json.ts";
import { signatureOf } from "./signature.ts";
import { slackMessage } from "./slack-message.ts";

/** Sends a notice to a channel, once. @param nowMs what the signature says it was sent at */
export function sendNotice(
  { channel, secret }: Pick<SecretChannel, "channel" | "secret">,
  notice: NoticeBody,
  nowMs: number,
): Promise<PostResult> {
  if (channel.kind === "slack") return postJson(channel.url, JSON.stringify(slackMessage(notice)), {});
  const body = JSON.stringify(notice);
  return postJson(channel.url, body, {
    "X-Trainwatch-Delivery": notice.id,
    ...(secret === null ? {} : { "X-Trainwatch-Signature": signatureOf(body, secret, nowMs) }),
  });
}
