import { announcedSteps, causeFamily, findingIsOn, forerunnerSteps, isForerunner, quietSteps } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import type { AdviceInput } from "./contract.ts";
import { RECOVERS, RESPIKE_REACH_STEPS } from "./priors.ts";
import type { Beta } from "./priors.ts";

export type SituationKind =
  /** Nothing that bears on the weights: a slow step, a metric of its own. */
  | "not-weights"
  /** The logger is what is accused. */
  | "logger"
  /** One step and back. */
  | "outlier"
  /** A norm or a scale moved and nothing followed it. */
  | "norm-alone"
  | "recovered"
  | "shifted"
  | "ongoing"
  | "diverged"
  /** Loss or norm is not finite now: every step from here on is lost. */
  | "non-finite";

/** What the findings of an incident say together, in steps. */
export interface Situation {
  readonly kind: SituationKind;
  /** Findings that bear on the weights, earliest onset first. */
  readonly findings: readonly Finding[];
  readonly shape: "jump" | "ramp";
  readonly onset: number;
  /** Lower end of the onset's 90 % interval over all findings. */
  readonly onsetLower: number;
  /** The step the run has reached. */
  readonly now: number;
  /** Last step known to be off. */
  readonly lastBad: number;
  /** Level shift relative to the baseline, with its standard error; null where none is known. */
  readonly shift: { readonly relative: number; readonly error: number } | null;
  /** Whether such a fault ever comes back by itself: the prior for its shape, counted on by the run's own earlier faults. */
  readonly recovers: Beta;
  /** Earlier attempts that met such a fault in the same stretch of steps, oldest first. */
  readonly earlierAttempts: readonly string[];
  /** Whether one of them met it at the same steps: the same data. */
  readonly sameSteps: boolean;
}

/** Null where no finding names a step. */
export function readSituation(input: AdviceInput): Situation | null {
  const all = input.findings.filter((finding) => bearsOnWeights(finding) && finding.onsetStep !== null);
  const { bearing, past } = presentFault(all, input.logEvery);
  const told = bearing.filter((finding) => finding.severity !== "info");
  const findings = [...(bearing.length > 0 ? bearing : input.findings)].sort((a, b) => onsetOf(a) - onsetOf(b));
  const onset = Math.min(...findings.map(onsetOf));
  if (!Number.isFinite(onset)) return null;
  const now = input.lastStep ?? Math.max(...findings.map(lastStepOf));
  const earlier = earlierOnsets(input, onset);
  const kind = kindOf(input.findings, bearing, told);
  const shape = told.some((finding) => finding.shape === "ramp") ? "ramp" : "jump";
  return {
    kind,
    findings,
    shape,
    recovers: recoveryPrior(kind === "diverged" ? "diverged" : shape, [...input.earlier, ...past]),
    onset,
    onsetLower: Math.min(...findings.map((finding) => finding.onsetLowerStep ?? onsetOf(finding) - input.logEvery)),
    now,
    lastBad: told.some(findingIsOn) ? now : Math.max(...findings.map(lastStepOf)),
    shift: shiftOf(told),
    earlierAttempts: [...new Set(earlier.map((finding) => finding.attempt))],
    // Three samples: what CUSUM back-dating is off by at its 90th percentile (detection.md E.2).
    sameSteps: earlier.some((finding) => Math.abs(onsetOf(finding) - onset) <= Math.max(10, 3 * input.logEvery)),
  };
}

/**
 * An incident may hold many spikes (F7). The weights came through those that recovered, so they do not date the fault that has not:
 * what ended before it, or was announced long before it, is past and tells only how often such spikes recover here.
 */
function presentFault(
  all: readonly Finding[],
  logEvery: number,
): { readonly bearing: readonly Finding[]; readonly past: readonly Finding[] } {
  const unsettled = all.filter((finding) => finding.severity !== "info" && finding.state !== "recovered");
  if (unsettled.length === 0) return { bearing: all, past: [] };
  const onset = Math.min(...unsettled.map(onsetOf));
  const isPresent = (finding: Finding): boolean => {
    if (unsettled.includes(finding)) return true;
    if (finding.severity === "info") return onsetOf(finding) >= onset - announcedSteps(logEvery);
    return lastStepOf(finding) >= onset - forerunnerSteps(logEvery);
  };
  return { bearing: all.filter(isPresent), past: all.filter((finding) => !isPresent(finding)) };
}

function kindOf(all: readonly Finding[], bearing: readonly Finding[], told: readonly Finding[]): SituationKind {
  const on = told.filter(findingIsOn);
  if (on.some((finding) => finding.state === "non-finite")) return "non-finite";
  if (told.some((finding) => finding.state !== "recovered") && told.every((finding) => isForerunner(finding.metric))) return "norm-alone";
  if (on.some((finding) => finding.state === "diverged")) return "diverged";
  if (on.length > 0) return "ongoing";
  if (told.some((finding) => isSettledShift(finding) && !isForerunner(finding.metric))) return "shifted";
  if (told.length > 0) return "recovered";
  if (all.some((finding) => finding.subject.kind === "logger")) return "logger";
  return bearing.length > 0 ? "outlier" : "not-weights";
}

function bearsOnWeights(finding: Finding): boolean {
  return causeFamily(finding.metric) === "optimisation" && finding.subject.kind !== "logger";
}

/** A shift within two standard errors of nothing is no shift. */
function isSettledShift(finding: Finding): boolean {
  if (finding.state !== "shifted") return false;
  const shift = finding.levelShift;
  return shift === null || shift.value > 2 * shift.standardError;
}

function shiftOf(findings: readonly Finding[]): Situation["shift"] {
  // Steps are worth loss: what a norm shifted by says nothing of them.
  const shifted = findings.find((finding) => finding.levelShift !== null && isSettledShift(finding) && !isForerunner(finding.metric));
  const shift = shifted?.levelShift ?? null;
  const baseline = shifted?.baselineValue;
  if (shift === null || typeof baseline !== "number" || baseline === 0) return null;
  return { relative: shift.value / Math.abs(baseline), error: shift.standardError / Math.abs(baseline) };
}

function earlierOnsets(input: AdviceInput, onset: number): readonly Finding[] {
  const reach = Math.max(RESPIKE_REACH_STEPS, quietSteps(input.logEvery));
  return input.earlier.filter(
    (finding) =>
      finding.attempt !== input.attempt &&
      finding.severity !== "info" &&
      bearsOnWeights(finding) &&
      Math.abs(onsetOf(finding) - onset) <= reach,
  );
}

function recoveryPrior(shape: keyof typeof RECOVERS, earlier: readonly Finding[]): Beta {
  const own = earlier.filter((finding) => finding.severity !== "info" && bearsOnWeights(finding));
  const recovered = own.filter((finding) => finding.state === "recovered").length;
  return { yes: RECOVERS[shape].yes + recovered, no: RECOVERS[shape].no + own.length - recovered };
}

function onsetOf(finding: Finding): number {
  return finding.onsetStep ?? finding.detectedStep ?? Number.POSITIVE_INFINITY;
}

function lastStepOf(finding: Finding): number {
  return Math.max(finding.endStep ?? 0, finding.peakStep ?? 0, finding.detectedStep ?? 0, finding.onsetStep ?? 0);
}
