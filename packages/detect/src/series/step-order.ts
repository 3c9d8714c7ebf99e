/** Keeps the samples of one metric in ascending steps: a detector's baseline is a function of step. JSON-safe. */
export interface StepOrder {
  last: number | null;
  /** Samples left out since the last admitted one because their step did not go on. */
  late: number;
  /** Step of the newest late sample and how many of them have risen in a row. */
  lateStep: number | null;
  lateRun: number;
}

/** After so many late samples that rise among themselves it was the last admitted step that was wrong (C1: one point at step 10^9). */
const RISING_LATE_SAMPLES = 3;

export type Admission = "next" | "late" | "restart";

export function newStepOrder(): StepOrder {
  return { last: null, late: 0, lateStep: null, lateRun: 0 };
}

/** Whether the sample goes on from the last one, comes late or twice, or shows that the counter itself has gone back. */
export function admit(order: StepOrder, step: number): Admission {
  if (order.last === null || step > order.last) {
    accept(order, step);
    return "next";
  }
  order.late++;
  order.lateRun = order.lateStep !== null && step > order.lateStep ? order.lateRun + 1 : 1;
  order.lateStep = step;
  if (order.lateRun < RISING_LATE_SAMPLES) return "late";
  accept(order, step);
  return "restart";
}

function accept(order: StepOrder, step: number): void {
  order.last = step;
  order.late = 0;
  order.lateStep = null;
  order.lateRun = 0;
}
