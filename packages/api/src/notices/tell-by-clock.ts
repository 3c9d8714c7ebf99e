import { incidentStateAt } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { noticeBody } from "./notice-body.ts";
import { isKeptBack, tellChanges } from "./tell-incident.ts";

const AT_ONCE = 100;

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
  for (const incidentId of new Set((await records.notices.kept(AT_ONCE)).map((notice) => notice.incidentId)))
    await records.transaction((tx) => release(tx, incidentId, nowMs));
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
    text: "The snooze is over",
  };
  await records.incidents.addTimeline(incidentId, entry);
}

/** Of what was kept back only the newest is told to each channel, as things stand now; the others tell of what has passed. */
async function release(records: Records, incidentId: number, nowMs: number): Promise<void> {
  const incident = await records.incidents.find(incidentId);
  const stored = await records.incidents.get(incidentId);
  if (incident === null || stored === null || (await isKeptBack(records, stored, incident, nowMs))) return;
  const { items } = await records.notices.list({ incidentId, channelId: null, limit: AT_ONCE, cursor: null });
  const timeline = await records.incidents.timeline(incidentId);
  const newest = new Map(items.toReversed().map((notice) => [notice.channelId, notice]));
  for (const notice of newest.values()) {
    if (notice.state !== "muted") continue;
    await records.notices.release(notice, { ...noticeBody(stored, notice.reason, timeline), id: notice.body.id });
  }
}
