import type { SimulationPlan } from "./plan.ts";

/** One launch of a simulated run: it runs the steps `firstStep` to `lastStep`. */
export interface PlannedAttempt {
  readonly name: string;
  readonly parent: string | null;
  /** Last step of the parent it builds on; null for the first launch. */
  readonly branchStep: number | null;
  readonly firstStep: number;
  readonly lastStep: number;
  /** Seconds without a step before it ends. */
  readonly hangS: number;
  readonly downtimeS: number;
  /** Why it started, as the log says. */
  readonly reason: string;
}

/** Attempts in order of launch. Restarts strike in the order of their list: each ends the attempt that is running then. */
export function planAttempts(plan: SimulationPlan): readonly PlannedAttempt[] {
  const attempts: PlannedAttempt[] = [];
  let current = { branchStep: null as number | null, firstStep: 1, downtimeS: 0, reason: "training starts" };
  for (const fault of plan.faults) {
    if (fault.kind !== "restart" || fault.step < current.firstStep || fault.step >= plan.steps) continue;
    attempts.push(attemptOf(attempts.length, current, fault.step, fault.hangS ?? 0));
    current = { branchStep: fault.resumeFrom, firstStep: fault.resumeFrom + 1, downtimeS: fault.downtimeS, reason: fault.reason };
  }
  attempts.push(attemptOf(attempts.length, current, plan.steps, 0));
  return attempts;
}

type Opening = Pick<PlannedAttempt, "branchStep" | "firstStep" | "downtimeS" | "reason">;

function attemptOf(index: number, opening: Opening, lastStep: number, hangS: number): PlannedAttempt {
  return { name: `a${index + 1}`, parent: index === 0 ? null : `a${index}`, ...opening, lastStep, hangS };
}

/** Whether the weights of `attempt` at `step` have gone through `origin`'s step `at`. */
export function weightsHaveSeen(
  attempts: readonly PlannedAttempt[],
  attempt: PlannedAttempt,
  step: number,
  origin: string,
  at: number,
): boolean {
  let reach = step;
  for (let cursor: PlannedAttempt | undefined = attempt; cursor !== undefined;) {
    if (cursor.name === origin) return at <= reach && at >= cursor.firstStep;
    if (cursor.branchStep === null) return false;
    reach = Math.min(reach, cursor.branchStep);
    const parent: string | null = cursor.parent;
    cursor = attempts.find((candidate) => candidate.name === parent);
  }
  return false;
}
