import { NOTICE_ACTOR, sendNotice, type PostResult } from "@trainwatch/api";
import type { NoticeView } from "@trainwatch/core";
import type { DeliverJob, SecretChannel, Store } from "@trainwatch/store";

export interface DeliverOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Where people reach the server, for links; null where it is not known. */
  readonly publicUrl: string | null;
  /** When the next try would be, if this one fails. */
  readonly nextTryMs: number;
}

/** The receiver could not be reached, or did not take it: the job is tried again later. */
export class TryLater extends Error {
  override readonly name = "TryLater";
}

/** After so long a notice that could not be delivered has failed: whoever looks at it then is better told by the page. */
export const GIVE_UP_MS = 4 * 3_600_000;

/**
 * Sends all that waits to be told to a channel about an incident, oldest first, so that no end arrives before its beginning. Each try is a row. A process that dies between sending
 * and writing it down sends again, under the same id; what has been written down is never sent again.
 * @throws TryLater
 */
export async function deliverNotices(job: DeliverJob, options: DeliverOptions): Promise<void> {
  const { records } = options.store;
  const channel = await records.channels.get(job.channelId);
  // Its notices went with it.
  if (channel === null) return;
  for (const notice of await records.notices.waiting(job)) await deliver(notice, channel, options);
}

async function deliver(notice: NoticeView, channel: SecretChannel, { store, now, publicUrl, nextTryMs }: DeliverOptions): Promise<void> {
  const result = channel.channel.enabled ? await sendNotice(channel, withLink(notice, publicUrl), now()) : TURNED_OFF;
  const nowMs = now();
  const tries = notice.deliveries.length + 1;
  const begunAtMs = notice.deliveries[0]?.atMs ?? nowMs;
  const isOver = result.ok || !result.isTemporary || nowMs + nextTryMs > begunAtMs + GIVE_UP_MS;
  await store.records.transaction(async (records) => {
    await records.notices.addDelivery(notice.id, { atMs: nowMs, ok: result.ok, status: result.status, message: result.message });
    if (!isOver || !(await records.notices.settle(notice.id, result.ok ? "delivered" : "failed"))) return;
    const text = `Notified ${notice.channel} (${notice.reason}): ${outcomeWords(result, tries)}`;
    await records.incidents.addTimeline(notice.incidentId, { kind: "notified", atMs: nowMs, step: null, actor: NOTICE_ACTOR, text });
  });
  if (!isOver) throw new TryLater(result.message);
}

const TURNED_OFF: PostResult = { ok: false, status: null, message: "The channel is turned off", isTemporary: false };

function outcomeWords({ ok, status, message }: PostResult, tries: number): string {
  const after = tries === 1 ? "" : ` after ${tries} tries`;
  return ok ? `delivered${after}` : `failed${after}: ${status === null ? "" : `HTTP ${status}, `}${message}`;
}

function withLink({ body }: NoticeView, publicUrl: string | null): NoticeView["body"] {
  return publicUrl === null ? body : { ...body, url: `${publicUrl}/incidents/${body.incidentId}` };
}
