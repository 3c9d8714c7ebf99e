import type { Finding } from "../finding.ts";

/** The steps, or epoch ms, that a finding covers; `to` is Infinity while it is still on. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Four baselines (128 samples each, detection.md A.2) without a fault. A run that spikes more often has one trouble: with one step in
 * twenty in spikes of six steps (case F7) a longer gap between two of them comes once in sixty.
 */
const QUIET_SAMPLES = 512;
/** Sparse logs: 512 samples may be 256,000 steps, in which two faults are two. Re-spikes count as one trouble within 2,000 steps (detection.md E.4). */
const QUIET_STEPS = 2_000;
/** But never fewer than the lag a baseline keeps from the newest sample (detection.md A.2). */
const LAG_SAMPLES = 16;
const ANNOUNCED_SAMPLES = 64;

/** Steps of quiet that part two incidents on a run logged each `logEvery` steps. */
export function quietSteps(logEvery: number): number {
  return Math.min(QUIET_SAMPLES * logEvery, Math.max(QUIET_STEPS, LAG_SAMPLES * logEvery));
}

/** Steps between the onsets of a fault and of a note that announced it: half a baseline; norms and loss scales lead by 4 to 40 (BLOOM-176B, GLM-130B, case F7). */
export function announcedSteps(logEvery: number): number {
  return ANNOUNCED_SAMPLES * logEvery;
}

/** Steps within which a one-step outlier of a gradient or update norm counts as the forerunner of a fault. */
export function forerunnerSteps(logEvery: number): number {
  return LAG_SAMPLES * logEvery;
}

/** Whether the fault still goes on. `shifted` has settled at another level: it is over, though not undone. */
export function findingIsOn(finding: Finding): boolean {
  if (finding.endStep !== null || finding.endTimeMs !== null) return false;
  return finding.state === "ongoing" || finding.state === "diverged" || finding.state === "non-finite" || finding.state === "stalled";
}

/** Null for a finding that names no step at all. */
export function findingSpan(finding: Finding): Span | null {
  const known = [finding.onsetLowerStep, finding.onsetStep, finding.detectedStep, finding.peakStep, finding.endStep].filter(
    (step) => step !== null,
  );
  if (known.length === 0) return null;
  return { from: Math.min(...known), to: findingIsOn(finding) ? Number.POSITIVE_INFINITY : Math.max(...known) };
}

/** Epoch ms that a finding covers; `to` is Infinity while it is still on. Null for a finding that names no time. */
export function findingTimes(finding: Finding): Span | null {
  const from = finding.onsetTimeMs ?? finding.detectedTimeMs;
  if (from === null) return null;
  const last = Math.max(from, finding.detectedTimeMs ?? from, finding.endTimeMs ?? from);
  return { from, to: findingIsOn(finding) ? Number.POSITIVE_INFINITY : last };
}

/** Between two spans, in their unit; 0 where they touch or overlap. */
export function spanGap(a: Span, b: Span): number {
  return Math.max(0, a.from - b.to, b.from - a.to);
}
