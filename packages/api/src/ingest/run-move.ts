import type { Attempt, PushAnswer } from "@trainwatch/core";
import type { LockedRun, RunMove } from "@trainwatch/store";
import type { ParsedPush } from "./parsed-push.ts";
import type { StoredPoints } from "./store-points.ts";

export interface MoveFacts {
  readonly run: LockedRun;
  readonly push: ParsedPush;
  readonly attempts: readonly Attempt[];
  readonly answer: PushAnswer;
  readonly stored: StoredPoints;
  readonly newSeries: number;
  readonly relabelled: boolean;
  readonly nowMs: number;
}

/** An event with this kind says that times come from a log without a zone. */
const ZONE_ASSUMED = "zone-assumed";

/** What a push changes in the row of its run: where it stands, so that lists need not read samples. */
export function runMove({ run, push, attempts, answer, stored, newSeries, relabelled, nowMs }: MoveFacts): RunMove {
  const newest = attempts.at(-1);
  return {
    nowMs,
    isHeard: isHeard(push, answer),
    arrivals: run.arrivals + (answer.accepted > 0 ? 1 : 0),
    attempt: newest?.name ?? null,
    lastStep: newest?.lastStep ?? null,
    lastLoss: stored.newestLoss ?? undefined,
    newestSampleMs: stored.newestSampleMs,
    newSeries,
    newPoints: answer.accepted,
    stepIsConstant: isConstant(attempts, run.pointCount + answer.accepted, run.seriesCount + newSeries),
    zoneAssumed: push.events.some((event) => event.kind === ZONE_ASSUMED),
    relabelled,
    metadata: push.metadata ?? {},
    state: stateAfter(run, push, answer, { lastStep: newest?.lastStep ?? null, nowMs }),
  };
}

/** A log that is imported again, or facts that somebody gives of a run whose log has ended, must not look like a trainer that lives and makes no step. */
function isHeard({ columns, checkpoints, events, assignments, metadata }: ParsedPush, { accepted, repeated }: PushAnswer): boolean {
  if (accepted > 0) return true;
  const isOnlyFacts = metadata !== undefined && columns.length + checkpoints.length + events.length + assignments.length === 0;
  return repeated === 0 && !isOnlyFacts;
}

/** Whether all points stand on one step, though some series has several (A12). */
function isConstant(attempts: readonly Attempt[], points: number, series: number): boolean {
  const step = attempts[0]?.firstStep ?? null;
  return points > series && attempts.every((attempt) => attempt.firstStep === step && attempt.lastStep === step);
}

interface MovedTo {
  readonly lastStep: number | null;
  readonly nowMs: number;
}

function stateAfter(run: LockedRun, { ended }: ParsedPush, { accepted }: PushAnswer, { lastStep, nowMs }: MovedTo): RunMove["state"] {
  if (ended !== undefined)
    return { state: ended, reason: `The source says that the run has ${ended === "finished" ? "finished" : "crashed"}.`, endedAtMs: nowMs };
  if (accepted === 0 || run.state === "running") return null;
  // A hung run goes on sending heartbeats: only another step, also a lower one of a new attempt, shows that it has come loose.
  if (run.state === "stalled" && lastStep === run.lastStep) return null;
  return { state: "running", reason: `Samples arrive again; it was ${run.state}.`, endedAtMs: null };
}
