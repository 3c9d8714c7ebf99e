import { incidentStateAt, type NoticeReason } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { noticeBody } from "./notice-body.ts";
import { isKeptBack, tellChanges } from "./tell-incident.ts";

const AT_ONCE = 100;
/** What the timeline says when a snooze has run out, whoever notices it. */
export const SNOOZE_IS_OVER = "The snooze is over";

/**
 * Does what comes by the clock alone: a snooze that is over ends; an end that has held is told, and so is what a mute kept back and still goes on once the mute has ended. Several
 * processes may do it at once, and it may be done as often as one likes: nothing is told twice.
 */
export async function tellByClock(records: Records, nowMs: number): Promise<void> {
  for (const incidentId of await records.notices.due(nowMs, AT_ONCE))
    await records.transaction(async (tx) => {
      await tx.incidents.lockFolds();
      // The policy sees that it was put off until now.
      await tellChanges(tx, { incidentId, nowMs });
      await endSnooze(tx, incidentId, nowMs);
    });
  // All of them: what a long mute keeps back must not stand before what another has let go.
  let last = 0;
  for (let kept = await records.notices.kept(last, AT_ONCE); kept.length > 0; kept = await records.notices.kept(last, AT_ONCE))
    for (const incidentId of kept) {
      await records.transaction((tx) => release(tx, incidentId, nowMs));
      last = incidentId;
    }
}

async function endSnooze(records: Records, incidentId: number, nowMs: number): Promise<void> {
  const incident = await records.incidents.find(incidentId);
  if (incident === null || incident.state !== "snoozed" || incidentStateAt(incident, nowMs) === "snoozed") return;
  await records.incidents.update(incidentId, { ...incident, state: "open", snoozedUntilMs: null }, ["snoozed"], nowMs);
  const entry = {
    kind: "snoozed" as const,
    atMs: incident.snoozedUntilMs ?? nowMs,
    step: null,
    actor: "clock",
    text: SNOOZE_IS_OVER,
  };
  await records.incidents.addTimeline(incidentId, entry);
}

/** What says that something is wrong; an end that was kept back is not told of what goes on again. */
const TELLS_OF_TROUBLE: ReadonlySet<NoticeReason> = new Set<NoticeReason>(["opened", "escalated", "reopened"]);

/** Of what was kept back only the newest is told to each channel, as things stand now; the others tell of what has passed. */
async function release(records: Records, incidentId: number, nowMs: number): Promise<void> {
  const incident = await records.incidents.find(incidentId);
  const stored = await records.incidents.get(incidentId);
  if (incident === null || stored === null || (await isKeptBack(records, stored, incident, nowMs))) return;
  const { items } = await records.notices.list({ incidentId, channelId: null, limit: AT_ONCE, cursor: null });
  const resolved = await records.incidents.lastResolved(incidentId);
  for (const channelId of new Set(items.map((notice) => notice.channelId))) {
    // What was kept back of another is this one's since they were merged, where nothing of the same was.
    const own = items.filter((notice) => notice.channelId === channelId && notice.incidentId === incidentId);
    const notice =
      own[0]?.state === "muted" ? own.find(({ reason, state }) => state === "muted" && TELLS_OF_TROUBLE.has(reason)) : undefined;
    if (notice === undefined) continue;
    await records.notices.release(notice, { ...noticeBody(stored, notice.reason, resolved), id: notice.body.id });
  }
}
