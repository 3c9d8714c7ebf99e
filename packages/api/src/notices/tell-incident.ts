import {
  heardOf,
  incidentStateAt,
  isMuted,
  noticesOf,
  severityRank,
  toldAsSeveral,
  type Incident,
  type NoticeReason,
  type SentNotice,
} from "@trainwatch/core";
import type { Records, SecretChannel, StoredIncident } from "@trainwatch/store";
import { required } from "../not-found.ts";
import { appliesTo } from "../rules/rules-in-force.ts";
import { noticeBody } from "./notice-body.ts";

/** Whom the timeline names for what was told to whom. */
export const NOTICE_ACTOR = "notices";

export interface TellQuestion {
  readonly incidentId: number;
  readonly nowMs: number;
}

/**
 * Tells what is to be told of an incident as it stands, by core's policy: nothing, where all of it was told before. For who has changed an incident, in the same transaction,
 * once the advice is written; and for the clock, as an end is only told once it has held.
 */
export async function tellChanges(records: Records, { incidentId, nowMs }: TellQuestion): Promise<void> {
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  const { ongoing, replacedBy } = required(await records.incidents.get(incidentId), "incident", incidentId);
  const isReplaced = replacedBy !== null && !ongoing;
  for (const reason of noticesOf({ incident, isReplaced, sent: await records.notices.sent(incidentId), nowMs }))
    await tellIncident(records, { incidentId, reason, nowMs });
}

/**
 * Tells of an incident that has turned out to be of a run, as new, the channels that hear of it now and to which nothing was ever written of it. For who has put it to the run, after `tellChanges`:
 * what that has told them they need not hear twice. As always, what somebody has taken or put off is told to nobody as new.
 */
export async function tellNewcomers(records: Records, { incidentId, nowMs }: TellQuestion): Promise<void> {
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  if (incidentStateAt(incident, nowMs) !== "open" || incident.severity === "info") return;
  const sent = await records.notices.sent(incidentId);
  const last = heardOf(incident, sent).at(-1)?.reason;
  if (last === undefined || last === "over" || last === "resolved") return;
  const told = new Set(sent.flatMap(({ channels }) => channels));
  await write(records, { incidentId, reason: "opened", nowMs }, (channelId) => !told.has(channelId));
}

/**
 * Writes one notice for each channel that is to hear of it, and its job, in the caller's transaction: they are sent if and only if what they tell of is stored. The same notice
 * is written once, whoever else writes it at the same moment. Where a mute holds, it is written as kept back.
 */
export async function tellIncident(records: Records, question: TellQuestion & { readonly reason: NoticeReason }): Promise<void> {
  await write(records, question, () => true);
}

async function write(
  records: Records,
  { incidentId, reason, nowMs }: TellQuestion & { readonly reason: NoticeReason },
  isFor: (channelId: number) => boolean,
): Promise<void> {
  const stored = required(await records.incidents.get(incidentId), "incident", incidentId);
  const channels = (await records.channels.list()).filter((channel) => hears(channel, stored));
  if (channels.length === 0) return;
  const incident = required(await records.incidents.find(incidentId), "incident", incidentId);
  // Whoever writes at the same moment comes after it, and sees it.
  await records.incidents.lockFolds();
  const sent = await records.notices.sent(incidentId);
  const ordinal = ordinalOf(sent, stored, reason);
  if (ordinal === null) return;
  const unaware = toldAsSeveral(stored, sent);
  const isKept = await isKeptBack(records, stored, incident, nowMs);
  // It tells of no new trouble, so that nobody would release it: it is written at the first change after the mute.
  if (isKept && reason === "merged") return;
  const resolved = await records.incidents.lastResolved(incidentId);
  let written = 0;
  for (const { id: channelId } of channels) {
    if (!isFor(channelId) || (reason === "merged" && !unaware.includes(channelId))) continue;
    const body = noticeBody(stored, reason, resolved);
    const made = await records.notices.create({ incidentId, channelId, reason, ordinal, body, state: isKept ? "muted" : "waiting" }, nowMs);
    if (made !== null) written++;
  }
  if (isKept && written > 0) {
    const text = `Nobody was notified (${reason}): a mute calendar holds`;
    await records.incidents.addTimeline(incidentId, { kind: "notified", atMs: nowMs, step: null, actor: NOTICE_ACTOR, text });
  }
}

/** Whether a calendar says that nobody is to be told of it now. */
export async function isKeptBack(
  records: Records,
  { severity, run }: StoredIncident,
  { findings }: Pick<Incident, "findings">,
  nowMs: number,
): Promise<boolean> {
  const mutes = (await records.mutes.list()).map(({ mute }) => mute);
  const detectors = [...new Set(findings.map(({ detector }) => detector))];
  return isMuted(mutes, { severity, detectors, runId: run?.id ?? null, cluster: run?.metadata.cluster ?? null }, nowMs);
}

function hears({ channel }: SecretChannel, { severity, run }: StoredIncident): boolean {
  if (!channel.enabled || severityRank(severity) < severityRank(channel.minSeverity)) return false;
  return appliesTo(channel.scope, { runId: run?.id ?? null, cluster: run?.metadata.cluster ?? null });
}

/** An incident opens once, rises to each severity once, and ends once before it is back; null where that was told before. */
function ordinalOf(sent: readonly SentNotice[], stored: StoredIncident, reason: NoticeReason): number | null {
  if (reason === "opened") return 0;
  if (reason === "escalated") return severityRank(stored.severity);
  if (reason !== "reopened" && reason !== "merged" && heardOf(stored, sent).at(-1)?.reason === reason) return null;
  return sent.filter((notice) => notice.reason === reason).length;
}
