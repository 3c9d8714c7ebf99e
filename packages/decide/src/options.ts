import type { Action } from "@trainwatch/core";
import type { Candidate } from "./candidates.ts";
import { FULL_ROLLBACK_STEPS, RESPIKES } from "./priors.ts";
import type { Beta } from "./priors.ts";
import type { Situation } from "./situation.ts";
import { skipRange } from "./skip-range.ts";
import type { SkipRange } from "./skip-range.ts";

/** Something that can be done now. */
export type Option =
  | { readonly action: "wait"; readonly steps: number }
  | {
      readonly action: Extract<Action, "rollback" | "skip-data" | "lower-lr">;
      readonly checkpoint: Candidate;
      /** The next older usable checkpoint, to which a second failure would lead. */
      readonly older: Candidate | null;
      readonly skip: SkipRange | null;
      readonly respikes: Beta;
    };

export type RestartOption = Exclude<Option, { readonly action: "wait" }>;

/** Older ones cost more and gain nothing that the newest few do not. */
const MOST_RESTARTS = 8;

/** Restarts worth weighing. `usable`: checkpoints that may be proposed, newest first. */
export function restartOptions(situation: Situation, usable: readonly Candidate[]): readonly RestartOption[] {
  return usable
    .slice(0, MOST_RESTARTS)
    .flatMap((checkpoint, index) =>
      restartsFrom(situation, checkpoint).map((restart) => ({ ...restart, checkpoint, older: usable[index + 1] ?? null })),
    );
}

type Restart = Pick<RestartOption, "action" | "skip" | "respikes">;

function restartsFrom(situation: Situation, checkpoint: Candidate): readonly Restart[] {
  const skip = skipRange(situation, checkpoint.step);
  const isShort = situation.onset - checkpoint.step < FULL_ROLLBACK_STEPS;
  const again: Beta = isShort ? added(RESPIKES.again, RESPIKES.shortRollback) : RESPIKES.again;
  const times = situation.earlierAttempts.length;
  if (times === 0) return [{ action: "rollback", skip, respikes: isShort ? RESPIKES.shortRollback : RESPIKES.firstFullRollback }];
  const restarts: Restart[] = [{ action: "rollback", skip: situation.sameSteps ? null : skip, respikes: again }];
  // The same steps again means the same data; once skipping has had its chance it is no longer the data alone.
  if (situation.sameSteps) restarts.push({ action: "skip-data", skip, respikes: times === 1 ? RESPIKES.skipSameData : RESPIKES.again });
  if (times >= 2) restarts.push({ action: "lower-lr", skip: null, respikes: RESPIKES.lowerRate });
  return restarts;
}

function added(a: Beta, b: Beta): Beta {
  return { yes: a.yes + b.yes - 1, no: a.no + b.no - 1 };
}

/** How long to wait: in steps, but never fewer than the logged points it takes to see a recovery. */
export function waitOptions(logEvery: number): readonly Option[] {
  const spans = [30, 100, 300].map((steps) => Math.max(steps, 8 * logEvery));
  return [...new Set(spans)].map((steps) => ({ action: "wait", steps }));
}
