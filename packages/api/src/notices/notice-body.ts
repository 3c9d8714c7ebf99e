import { randomUUID } from "node:crypto";
import { CAUSE_WORDS, sayInteger, sayShare, type NoticeBody, type NoticeReason, type TimelineEntry } from "@trainwatch/core";
import { accusedName, describeAction } from "@trainwatch/decide";
import type { StoredIncident } from "@trainwatch/store";

/**
 * What a notice says of an incident as it stands now. The address is known to who sends: several servers may share a database.
 * @param resolved what was said when it was last resolved
 */
export function noticeBody(stored: StoredIncident, reason: NoticeReason, resolved: TimelineEntry | null): NoticeBody {
  const { id, run, attempt, severity, title, onsetTimeMs, detectedTimeMs, openedAtMs, onsetStep, ongoing, flaps, advice, merged } = stored;
  return {
    version: 1,
    id: randomUUID(),
    reason,
    incidentId: id,
    merged: [...merged],
    severity,
    title,
    run: run?.fullName ?? null,
    attempt: attempt === "" ? null : attempt,
    since: new Date(onsetTimeMs ?? detectedTimeMs ?? openedAtMs).toISOString(),
    sinceStep: onsetStep,
    ongoing,
    flaps,
    action: advice === null ? null : describeAction(advice.advice),
    cause: causeWords(stored),
    ended: reason === "over" || reason === "resolved" ? endWords(stored, reason, resolved) : null,
    url: null,
  };
}

function causeWords({ assessment }: StoredIncident): string | null {
  const [likeliest] = assessment?.causes ?? [];
  if (assessment === null || likeliest === undefined) return null;
  const { cause, share } = likeliest;
  const accused = accusedName(likeliest);
  return `${CAUSE_WORDS[cause]}${accused === null ? "" : ` ${accused}`} (${assessment.word}, ${sayShare(share)})`;
}

function endWords(stored: StoredIncident, reason: NoticeReason, resolved: TimelineEntry | null): string {
  const { attempt, replacedBy, findingState, endStep, endTimeMs } = stored;
  if (reason === "resolved" && resolved !== null) return `${resolved.text} (${resolved.actor})`;
  // No finding says that it is over: what it was in is.
  if (replacedBy !== null && endStep === null && endTimeMs === null) return `Attempt ${attempt} is over: ${replacedBy} has followed it`;
  const where = endStep !== null ? ` at step ${sayInteger(endStep)}` : endTimeMs !== null ? ` at ${new Date(endTimeMs).toISOString()}` : "";
  return `${END_WORDS[findingState]}${where}`;
}

const END_WORDS: Readonly<Record<StoredIncident["findingState"], string>> = {
  ongoing: "No finding goes on any more",
  recovered: "Recovered",
  shifted: "Settled at another level",
  diverged: "Diverged",
  "non-finite": "Values that are not finite have ended",
  stalled: "Stands no longer",
};
