import { incidentStateAt } from "../incident/actions.ts";
import { describeIncident } from "../incident/describe.ts";
import type { Incident } from "../incident/incident.ts";
import { severityRank } from "../severity.ts";
import type { Severity } from "../severity.ts";
import type { NoticeReason } from "./notice.ts";

/** A notice of the incident, or of one that was merged into it, that was written, delivered or not; one for all channels it went to. */
export interface SentNotice {
  /** Its own, or one that was merged into it. */
  readonly incidentId: number;
  /** To whom it was written. */
  readonly channels: readonly number[];
  /** Incidents of which it says that they are part of its own. */
  readonly merged: readonly number[];
  readonly reason: NoticeReason;
  /** The incident's at that time. */
  readonly severity: Severity;
  readonly atMs: number;
}

export interface NoticeQuestion {
  /** As it stands now. */
  readonly incident: Incident;
  /** Another attempt has followed its own and took nothing of it over, and no machine of it is broken any more: it is over, though no finding has ever said so. */
  readonly isReplaced: boolean;
  /** All that were written of it, oldest first. */
  readonly sent: readonly SentNotice[];
  readonly nowMs: number;
}

/** Of one incident, counted anew when its severity has risen: nobody reads the fourth. */
const MOST_NOTICES = 3;
/** And who heard of several that turned out to be one is told so this often: each may bring some together, as a storm of them does. */
const MOST_MERGED = 3;
/** Of one that flaps, in an hour (case G1). */
const MOST_FLAPPING = 2;
const HOUR_MS = 3_600_000;
/** An end is told once it has held for so long; until then it may be a flap, and "over" would be the wrong thing to believe. */
const QUIET_MS = 5 * 60_000;

/**
 * What is to be told of an incident now: nothing, or one thing. It follows from how the incident stands and what was written of it before, and from nothing else: asked again,
 * after a restart or by two workers in turn, it answers nothing new (G6). Ask at each change, and once a minute of what is over or snoozed, as an end and the end of a snooze come by the clock.
 * Whether channels and mutes let it through is decided after it.
 */
export function noticesOf({ incident, isReplaced, sent, nowMs }: NoticeQuestion): readonly NoticeReason[] {
  if (incident.severity === "info") return [];
  const reason = reasonFor({ incident, isReplaced, sent, nowMs });
  if (reason === null) return [];
  return reason === "escalated" || reason === "merged" || isAllowed(incident, sent, nowMs) ? [reason] : [];
}

/** What the incident was told of as: that one that was merged into it is over says nothing of the whole. */
export function heardOf({ id }: Pick<Incident, "id">, sent: readonly SentNotice[]): readonly SentNotice[] {
  return sent.filter(({ incidentId, reason }) => incidentId === id || (reason !== "over" && reason !== "resolved"));
}

/** Channels that have heard of several incidents which are one by now, and not that they are. */
export function toldAsSeveral({ id }: Pick<Incident, "id">, sent: readonly SentNotice[]): readonly number[] {
  return [...new Set(sent.flatMap(({ channels }) => channels))].filter((channel) => {
    const heard = sent.filter(({ channels }) => channels.includes(channel));
    const known = new Set(heard.map(({ incidentId }) => incidentId));
    const said = new Set(heard.flatMap(({ merged }) => merged));
    return known.size > 1 && [...known].some((incidentId) => incidentId !== id && !said.has(incidentId));
  });
}

function reasonFor(question: NoticeQuestion): NoticeReason | null {
  const reason = changeOf(question);
  if (reason !== null) return reason;
  const { incident, sent, nowMs } = question;
  const state = incidentStateAt(incident, nowMs);
  if (state === "resolved" || state === "snoozed" || toldAsSeveral(incident, sent).length === 0) return null;
  return sent.filter((notice) => notice.reason === "merged").length < MOST_MERGED ? "merged" : null;
}

/** Any notice says what was merged, so that nobody hears twice at once. */
function changeOf({ incident, isReplaced, sent, nowMs }: NoticeQuestion): NoticeReason | null {
  const last = heardOf(incident, sent).at(-1);
  const { ongoing: isFound, endTimeMs } = describeIncident(incident);
  const ongoing = isFound && !isReplaced;
  const state = incidentStateAt(incident, nowMs);
  if (last === undefined) {
    // A log that is read in afterwards pages nobody for what ended long ago.
    const isPast = !ongoing && endTimeMs !== null && nowMs - endTimeMs > HOUR_MS;
    return state !== "open" || isPast ? null : "opened";
  }
  const worstTold = Math.max(...sent.map(({ severity }) => severityRank(severity)));
  if (severityRank(incident.severity) > worstTold && state !== "resolved") return "escalated";
  if (state === "snoozed") return null;
  if (state === "resolved") return last.reason === "resolved" ? null : "resolved";
  if (ongoing) return last.reason === "over" || last.reason === "resolved" || isAwake(incident, last, nowMs) ? "reopened" : null;
  if (last.reason === "resolved") return "reopened";
  return last.reason !== "over" && hasHeld(incident, endTimeMs, nowMs) ? "over" : null;
}

/** A snooze has run out since the last notice, and what was put off is still there. Its end is told by its time alone: a finding that came first may have opened the incident already. */
function isAwake({ snoozedUntilMs }: Incident, last: SentNotice, nowMs: number): boolean {
  return snoozedUntilMs !== null && snoozedUntilMs <= nowMs && last.atMs < snoozedUntilMs;
}

/** Where nobody knows when it ended, an end is believed at once of what has not flapped, and else an hour after anything was last found. */
function hasHeld({ flaps, findings }: Incident, endTimeMs: number | null, nowMs: number): boolean {
  if (endTimeMs !== null) return nowMs - endTimeMs >= QUIET_MS;
  if (flaps === 0) return true;
  const found = findings.flatMap(({ detectedTimeMs, onsetTimeMs }) => detectedTimeMs ?? onsetTimeMs ?? []);
  return found.length > 0 && nowMs - Math.max(...found) >= HOUR_MS;
}

/** What was told of others before they were merged into it uses up nothing: who heard of three is yet to hear that their one is over. */
function isAllowed({ id, flaps }: Incident, sent: readonly SentNotice[], nowMs: number): boolean {
  const own = sent.filter(({ incidentId }) => incidentId === id);
  const counted = own.slice(
    Math.max(
      0,
      own.findLastIndex(({ reason }) => reason === "escalated" || reason === "merged"),
    ),
  );
  if (counted.length >= MOST_NOTICES) return false;
  return flaps === 0 || counted.filter(({ atMs }) => nowMs - atMs < HOUR_MS).length < MOST_FLAPPING;
}
