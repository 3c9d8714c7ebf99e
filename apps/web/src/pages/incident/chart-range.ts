export interface StepRange {
  readonly from: number | null;
  /** Null is live: the newest step, wherever that is. */
  readonly to: number | null;
}

/** Steps before the onset per step after it: the baseline must be seen beside the fault. */
const BASELINE_SHARE = 3;
/** So much of the time after the end stays in view, to show that it came back. */
const AFTERMATH_SHARE = 0.5;
/** At least so many steps on either side, whatever the run logs. */
const MIN_SIDE = 20;

/** What the charts show when the link does not say: the fault in the last quarter, its baseline before it. */
export function incidentRange(facts: {
  readonly onsetStep: number | null;
  readonly endStep: number | null;
  readonly lastStep: number | null;
  readonly ongoing: boolean;
}): StepRange {
  const { onsetStep, endStep, lastStep, ongoing } = facts;
  if (onsetStep === null) return { from: null, to: null };
  const end = ongoing ? lastStep : (endStep ?? lastStep);
  const length = Math.max(MIN_SIDE, (end ?? onsetStep) - onsetStep);
  const from = Math.max(0, onsetStep - length * BASELINE_SHARE);
  if (ongoing) return { from, to: null };
  const to = onsetStep + Math.ceil(length * (1 + AFTERMATH_SHARE));
  return { from, to: lastStep === null ? to : Math.min(to, Math.max(lastStep, onsetStep + 1)) };
}
