import { sayInteger, sayValue } from "@trainwatch/core";
import type { CauseFact, Evidence, Finding, Severity, Subject } from "@trainwatch/core";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import type { PaceRules, SlowStretch } from "../../step-time/pace.ts";
import type { RankContext } from "../contract.ts";

export interface PaceWords {
  readonly detector: { readonly id: string; readonly version: number };
  readonly metric: string;
  readonly severity: Severity;
  readonly subject?: Subject;
  /** `Transfers take longer`: the beginning of the summary. */
  readonly what: string;
  /** A value of the pace's series as a person reads it: `1.20 s`. */
  say(value: number): string;
  facts(stretch: SlowStretch): readonly CauseFact[];
  evidence(stretch: SlowStretch): readonly Evidence[];
}

/** A stretch in which one time of the run as a whole is longer than its own lagged median (detection.md C.4). */
export function paceFinding(words: PaceWords, context: RankContext, rules: PaceRules, stretch: SlowStretch): Finding {
  const top = stretch.highestRatio * stretch.baseline;
  const standing = {
    ongoing: "and still do",
    recovered: `until step ${sayInteger(stretch.endStep ?? stretch.lastStep)}`,
    shifted: "and have stayed so",
  }[stretch.state];
  return makeFinding(words.detector, context, {
    metric: words.metric,
    ...(words.subject === undefined ? {} : { subject: words.subject }),
    severity: words.severity,
    state: stretch.state,
    onsetStep: stretch.onsetStep,
    onsetLowerStep: stretch.onsetLowerStep,
    onsetTimeMs: stretch.onsetTimeMs,
    detectedStep: stretch.detectedStep,
    detectedTimeMs: stretch.detectedTimeMs,
    peakStep: stretch.peakStep,
    endStep: stretch.endStep,
    shape: "jump",
    peakValue: stretch.peakValue,
    baselineValue: stretch.baseline,
    levelShift: null,
    summary: `${words.what} since step ${sayInteger(stretch.onsetStep)}: ${words.say(top)} where it was ${words.say(stretch.baseline)}, ${standing}.`,
    evidence: [
      evidence(
        "for",
        `${rules.inARow} steps in a row, or the median of ${rules.lag}, lie above ${sayValue(stretch.limit / stretch.baseline)} of the lagged median`,
        stretch.limit / stretch.baseline,
        "× median",
        "detection.md C.4",
      ),
      ...words.evidence(stretch),
      ...(stretch.state === "recovered" ? [evidence("against", "It came back by itself", stretch.endStep, "step", words.metric)] : []),
    ],
    facts: words.facts(stretch),
  });
}
