import { metricTitle, metricWords, OVER_OPTIMISATION, sayInteger, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, MetricWords } from "@trainwatch/core";
import type { MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { isRewardOfTraining } from "./held-out.ts";
import type { OverOptimisationRules } from "./over-rules.ts";

/** Prompts below which an alarm comes late (detection.md F.2: 2.7 to 4.6 points below the peak at 500 and 250). */
const ENOUGH_PROMPTS = 1_000;

/** A held-out score that has turned, as it stands. JSON-safe; values in the metric's unit. */
export interface Turn {
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  readonly isCritical: boolean;
  readonly proxyZ: number | null;
  readonly evaluations: number;
  readonly peakStep: number;
  readonly lowStep: number;
  readonly highStep: number;
  readonly over: "kl" | "step";
  readonly peakKl: number | null;
  readonly peakValue: number;
  readonly lastValue: number;
  readonly lastStep: number;
  readonly drop: number;
  readonly dropError: number;
  readonly error: number;
  readonly promptsError: number | null;
  readonly slopeZ: number;
  readonly endStep: number | null;
}

export function turnFinding(version: number, context: MonitorContext, rules: OverOptimisationRules, metric: string, turn: Turn): Finding {
  return makeFinding({ id: OVER_OPTIMISATION, version }, context, {
    metric,
    severity: turn.isCritical ? "critical" : "warning",
    state: turn.endStep === null ? "ongoing" : "recovered",
    onsetStep: turn.peakStep,
    onsetLowerStep: turn.lowStep,
    onsetTimeMs: null,
    detectedStep: turn.detectedStep,
    detectedTimeMs: turn.detectedTimeMs,
    peakStep: turn.peakStep,
    endStep: turn.endStep,
    shape: "ramp",
    peakValue: turn.lastValue,
    baselineValue: turn.peakValue,
    levelShift: null,
    summary: summaryOf(turn),
    evidence: evidenceOf(rules, metric, turn),
  });
}

function summaryOf({ isCritical, peakStep, endStep }: Turn): string {
  const what = isCritical ? "Reward climbs while held-out score falls" : "Held-out score falls while training goes on";
  return `${what}, turning point at step ${sayInteger(peakStep)}${endStep === null ? "" : `; it is back by step ${sayInteger(endStep)}`}.`;
}

function evidenceOf(rules: OverOptimisationRules, metric: string, turn: Turn): readonly Evidence[] {
  const title = metricTitle(metric);
  const words = metricWords(metric, [turn.peakValue, turn.lastValue]);
  const kl = turn.peakKl === null ? "" : `, at a KL of ${sayValue(turn.peakKl)} nats`;
  const axis =
    turn.over === "kl"
      ? "over the root of the KL to the reference"
      : "over steps: the KL to the reference is not logged, does not grow, or explains it worse";
  return [
    evidence(
      "for",
      `${title} was best about step ${sayInteger(turn.peakStep)} (90 %: ${sayInteger(turn.lowStep)} to ${sayInteger(turn.highStep)})${kl}: ${words.value(turn.peakValue)} there, ${words.value(turn.lastValue)} by step ${sayInteger(turn.lastStep)}`,
      words.scaled(turn.lastValue),
      words.unit,
      metric,
    ),
    evidence(
      "for",
      `The newest evaluations are ${words.within(turn.drop, turn.dropError)} below those about the peak, and the curve falls at its end by ${sayValue(-turn.slopeZ)} standard errors`,
      words.scaled(turn.drop),
      words.apart,
      metric,
    ),
    evidence(
      "neutral",
      `Fitted to ${sayInteger(turn.evaluations)} evaluations ${axis}; one evaluation is good to ± ${words.difference(turn.error)}, from the scatter about the fit${boundOf(rules, turn, words)}`,
    ),
    proxyEvidence(turn),
    ...limits(rules, metric),
  ];
}

/** What the number of prompts says of the noise, as the end of a sentence. */
function boundOf({ prompts }: OverOptimisationRules, { error, promptsError }: Turn, words: MetricWords): string {
  if (promptsError === null) return prompts > 0 ? "; no share, so the number of prompts says nothing of it" : "";
  const bound = `± ${words.difference(promptsError)} that ${sayInteger(prompts)} prompts allow`;
  return error > promptsError ? `, more than the ${bound}: the policy or the evaluation scatters as well` : `, within the ${bound}`;
}

function proxyEvidence({ proxyZ, isCritical, peakStep }: Turn): Evidence {
  if (proxyZ === null) return evidence("neutral", "Too few rewards are logged since the peak to tell whether the reward goes on rising");
  const since = `since step ${sayInteger(peakStep)}`;
  if (isCritical)
    return evidence(
      "for",
      `The reward has risen ${since}, its slope ${sayValue(proxyZ)} standard errors above zero`,
      proxyZ,
      "σ",
      "reward",
    );
  return evidence(
    "against",
    `The reward has not clearly risen ${since} (slope ${sayValue(proxyZ)} standard errors): it may be the run as a whole that degrades`,
    proxyZ,
    "σ",
    "reward",
  );
}

function limits(rules: OverOptimisationRules, metric: string): readonly Evidence[] {
  const own = isRewardOfTraining(metric)
    ? [
        evidence(
          "against",
          "This score is the reward itself on other prompts: it shows overfitting to the prompts, and not what the reward is blind to",
        ),
      ]
    : [];
  const few =
    rules.prompts > 0 && rules.prompts < ENOUGH_PROMPTS
      ? `Fewer than ${sayInteger(ENOUGH_PROMPTS)} prompts are asked: a turn is seen late`
      : "A change of the evaluation itself (prompts, template, judge) falls like this as well";
  return [...own, evidence("against", few, null, null, "detection.md F.2")];
}
