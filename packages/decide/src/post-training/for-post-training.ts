import { findingIsOn, isForerunner, OVER_OPTIMISATION, POST_TRAINING_DETECTORS } from "@trainwatch/core";
import type { Advice, Finding } from "@trainwatch/core";
import type { AdviceInput } from "../contract.ts";
import type { Price } from "../cost.ts";
import { adviceOf } from "../verdict.ts";
import { atTurningPoint } from "./at-turning-point.ts";
import { nextStepOf } from "./next-step.ts";

export interface PostTrainingReading {
  /** What decides; null where the loss or the hardware does. */
  readonly postTraining: readonly Finding[] | null;
  /** Findings of everything else. */
  readonly others: readonly Finding[];
}

/**
 * Which findings decide. Anything else that is neither over nor a note comes first: weights that are not finite, a loss that left its level, a run that stands. A norm that
 * moved alone does not hold back the proposal of a turning point, since it proposes nothing itself.
 */
export function readPostTraining(findings: readonly Finding[]): PostTrainingReading {
  const postTraining = findings.filter(({ detector }) => POST_TRAINING_DETECTORS.has(detector));
  const others = findings.filter(({ detector }) => !POST_TRAINING_DETECTORS.has(detector));
  if (postTraining.length === 0) return { postTraining: null, others };
  const hasTurned = turnsOf(postTraining).length > 0;
  const decides = others.some(
    (finding) =>
      finding.severity !== "info" &&
      finding.state !== "recovered" &&
      !(hasTurned && finding.state !== "non-finite" && isForerunner(finding.metric)),
  );
  const isOver = others.length > 0 && !postTraining.some(findingIsOn);
  return { postTraining: decides || isOver ? null : postTraining, others };
}

export function forPostTraining(input: AdviceInput, findings: readonly Finding[], price: Price): Advice {
  const [turn, ...others] = turnsOf(findings);
  if (turn !== undefined) return atTurningPoint(input, { turn, others, steps: stepsOf(findings.filter(findingIsOn)) }, price);
  const on = findings.filter(findingIsOn);
  if (on.length === 0) {
    return adviceOf(input, price, { action: "wait", reasons: ["What was found is over: nothing is to be done about it."] });
  }
  return adviceOf(input, price, {
    reasons: [...stepsOf(on), "No checkpoint is known to be better than the present one: held-out evaluations would say."],
  });
}

/** Of several scores that have turned the one with the earliest peak first: what lies before it lies before all. */
export function turnsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings
    .filter((finding) => finding.detector === OVER_OPTIMISATION && findingIsOn(finding) && finding.onsetStep !== null)
    .toSorted((a, b) => (a.onsetStep ?? 0) - (b.onsetStep ?? 0));
}

/** One next step a kind, the worst first. */
function stepsOf(findings: readonly Finding[]): readonly string[] {
  const critical = findings.filter(({ severity }) => severity === "critical");
  const ordered = [...critical, ...findings.filter(({ severity }) => severity !== "critical")].filter(
    (finding) => finding.detector !== OVER_OPTIMISATION || finding.onsetStep === null,
  );
  return [...new Set(ordered.flatMap(({ detector }) => nextStepOf(detector) ?? []))];
}
