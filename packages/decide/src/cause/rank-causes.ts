import { CAUSES } from "@trainwatch/core";
import type { Cause, CauseAssessment, RankedCause } from "@trainwatch/core";
import { LIKELY_SHARE, STRONG_SHARE } from "../priors.ts";
import { accusations } from "./accusation.ts";
import type { Accusation } from "./accusation.ts";
import { sayFact } from "./cause-words.ts";
import type { CauseInput } from "./contract.ts";
import { hypothesesOf } from "./hypotheses.ts";
import type { Hypothesis } from "./hypotheses.ts";
import { nextTest } from "./next-test.ts";
import { PRIORS, troubleOf } from "./trouble.ts";
import type { Trouble } from "./trouble.ts";

/**
 * What an incident is caused by, most likely first, with what speaks for and against each cause and the test that would settle most.
 *
 * Bayes by a table: the prior of the trouble (`PRIORS`) times the factor of each fact (`FACTORS`), and shares that add up to 1. Facts of one origin count once. A cause weighs as
 * much as its strongest suspect, and its share is divided over its suspects by what each has against it. The word is that of the first line: a cause that is sure with a
 * suspect that is not is not settled. Pure; the order of facts and findings changes nothing.
 * Source: detection.md A.6, B.6, C.4, E.6, finding 7.
 */
export function rankCauses(input: CauseInput): CauseAssessment {
  const trouble = troubleOf(input.findings);
  if (trouble === null) return { causes: [], word: "not settled", nextTest: null };
  const stated = accusations(input, trouble);
  const now = weighCauses(stated, trouble);
  // What re-runs have done is told as B.6 wants it: from where to where suspicion fell. They never clear.
  const untested = weighCauses(
    stated.filter(({ fact }) => fact !== "rerun-agreed"),
    trouble,
  );
  const causes = now.map((weighed) => ranked(weighed, untested));
  const [first] = causes;
  const word = first === undefined || first.share < LIKELY_SHARE ? "not settled" : first.share < STRONG_SHARE ? "likely" : "strong";
  return { causes, word, nextTest: nextTest({ trouble, causes, input }) };
}

interface Weighed extends Hypothesis {
  readonly share: number;
}

/** Every hypothesis with its share, largest first. */
function weighCauses(stated: readonly Accusation[], trouble: Trouble): readonly Weighed[] {
  const priors: Readonly<Partial<Record<Cause, number>>> = PRIORS[trouble];
  const causes = CAUSES.flatMap((cause) => {
    const prior = priors[cause];
    return prior === undefined ? [] : [{ prior, hypotheses: hypothesesOf(cause, stated) }];
  });
  const shares = softmax(causes.map(({ prior, hypotheses }) => Math.log(prior) + (hypotheses[0]?.log ?? 0)));
  return causes
    .flatMap(({ hypotheses }, index) => {
      const parts = softmax(hypotheses.map(({ log }) => log));
      return hypotheses.map((hypothesis, at) => ({ ...hypothesis, share: (shares[index] ?? 0) * (parts[at] ?? 0) }));
    })
    .sort((a, b) => b.share - a.share || CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause));
}

/** Of all suspects together: the p_H of detection.md E.4 and E.6. */
export function hardwareShare({ causes }: Pick<CauseAssessment, "causes">): number {
  return causes.reduce((sum, { cause, share }) => sum + (cause === "hardware" ? share : 0), 0);
}

function ranked({ cause, suspect, weighed, share }: Weighed, untested: readonly Weighed[]): RankedCause {
  const before = untested.find((other) => other.cause === cause && other.suspect?.id === suspect?.id);
  const fall = before === undefined ? null : { from: before.share, to: share };
  return {
    cause,
    subjectKind: suspect?.kind ?? null,
    subjectId: suspect?.id ?? null,
    share,
    facts: weighed.map(({ accusation, log }) => ({ text: sayFact(accusation, log, fall), logBayesFactor: log, source: accusation.source })),
  };
}

function softmax(logs: readonly number[]): readonly number[] {
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
