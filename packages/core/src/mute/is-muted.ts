import { severityRank } from "../severity.ts";
import type { Severity } from "../severity.ts";
import type { Mute } from "./mute.ts";
import { isInWindow } from "./mute-windows.ts";

/** What is about to be told. */
export interface MuteQuestion {
  readonly severity: Severity;
  /** Of the incident's findings. */
  readonly detectors: readonly string[];
  /** Null: of no run. */
  readonly runId: number | null;
  readonly cluster: string | null;
}

/** Whether a calendar says that nobody is to be told of it now. A calendar whose zone this machine does not know mutes nothing: to be told too much is the lesser harm. */
export function isMuted(mutes: readonly Mute[], question: MuteQuestion, nowMs: number): boolean {
  return mutes.some((mute) => covers(mute, question) && isInWindow(mute, nowMs));
}

function covers({ upTo, scope, detectors }: Mute, question: MuteQuestion): boolean {
  if (severityRank(question.severity) > severityRank(upTo)) return false;
  if (scope.runId !== null && scope.runId !== question.runId) return false;
  if (scope.cluster !== null && scope.cluster !== question.cluster) return false;
  // An incident in which any other detector speaks as well is more than what was muted.
  return detectors.length === 0 || (question.detectors.length > 0 && question.detectors.every((detector) => detectors.includes(detector)));
}
