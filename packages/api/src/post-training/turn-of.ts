import { loggedMetricWords, metricTitle, OVER_OPTIMISATION, sayInteger, type Finding, type TurningPoint } from "@trainwatch/core";
import { PEAK_CONFIDENCE, WATCHED_SCORES } from "@trainwatch/detect";
import { estimateTurningPoint, type TurningPointEstimate } from "@trainwatch/stats";
import type { HeldOutPoints } from "./held-out-series.ts";

export interface Turn {
  readonly point: Omit<TurningPoint, "checkpoint"> | null;
  /** The smoothed score at each point's step: its highest place is the peak. */
  readonly fit: readonly (number | null)[];
  readonly why: string | null;
}

export interface TurnFacts {
  /** KL to the reference at a step; null where it is not logged. */
  readonly klAt: ((step: number) => number) | null;
  /** What the detector has found on this score and has not taken back. */
  readonly finding: Finding | null;
  /** Whether the reward has risen since a step; null where too few points tell. */
  readonly proxyRisesSince: (step: number) => boolean | null;
}

/**
 * Where a held-out series is highest, and whether it has turned. That is the detector's word alone, and with it the place of the peak and whether the reward climbs: it judges with
 * the parameters in force and for as many scores as are logged. What it has not spoken of is drawn and not judged.
 */
export function turnOf(heldOut: HeldOutPoints, { klAt, finding, proxyRisesSince }: TurnFacts): Turn {
  const sign = heldOut.higherIsBetter ? 1 : -1;
  const steps = heldOut.points.map(({ step }) => step);
  const estimate = estimateTurningPoint(
    { steps, values: heldOut.points.map(({ value }) => sign * value), kl: klAt === null ? null : steps.map(klAt) },
    { confidence: PEAK_CONFIDENCE, prompts: heldOut.prompts },
  );
  if (estimate === null) {
    const why = `${sayInteger(steps.length)} held-out evaluations of ${metricTitle(heldOut.metric)}: too few to tell a peak.`;
    return { point: null, fit: steps.map(() => null), why };
  }
  const place = placeOf(estimate, finding);
  const rises = proxyRisesSince(place.peakStep);
  const point: Omit<TurningPoint, "checkpoint"> = {
    metric: heldOut.metric,
    over: estimate.over,
    ...place,
    confidence: PEAK_CONFIDENCE,
    peakValue: sign * estimate.peakValue,
    lastValue: sign * estimate.lastValue,
    drop: estimate.drop,
    dropError: estimate.dropError,
    peakKl: estimate.peakKl,
    turned: finding !== null,
    proxyRises: finding?.severity === "critical" ? true : finding === null || rises === null ? rises : false,
    text: "",
  };
  return { point: { ...point, text: textOf(point, heldOut) }, fit: Array.from(estimate.smooth, (value) => sign * value), why: null };
}

/** Of what has turned on the weights that are looked at, the finding of a score. @param line attempts of those weights, each with the last step that is theirs */
export function turnsOn(
  findings: readonly Finding[],
  line: readonly { readonly attempt: string; readonly throughStep: number }[],
): readonly Finding[] {
  const reach = new Map(line.map(({ attempt, throughStep }) => [attempt, throughStep]));
  return findings
    .filter(
      ({ detector, state, attempt, onsetStep }) =>
        detector === OVER_OPTIMISATION && state === "ongoing" && (onsetStep ?? 0) <= (reach.get(attempt) ?? Number.NEGATIVE_INFINITY),
    )
    .toSorted((a, b) => (a.onsetStep ?? 0) - (b.onsetStep ?? 0));
}

function placeOf(
  { peakStep, lowStep, highStep }: TurningPointEstimate,
  finding: Finding | null,
): Pick<TurningPoint, "peakStep" | "lowStep" | "highStep"> {
  const told = finding?.onsetStep ?? null;
  if (told === null) return { peakStep, lowStep, highStep };
  return { peakStep: told, lowStep: Math.min(told, finding?.onsetLowerStep ?? lowStep), highStep: Math.max(told, highStep) };
}

function textOf(
  { metric, turned, proxyRises, peakStep, drop, dropError, lowStep, highStep }: Omit<TurningPoint, "checkpoint">,
  { source, points, scores }: Pick<HeldOutPoints, "source" | "points" | "scores">,
): string {
  const interval = `${sayInteger(lowStep)} to ${sayInteger(highStep)} at 90 %`;
  const since = loggedMetricWords(
    metric,
    points.map(({ value }) => value),
  ).within(Math.abs(drop), dropError);
  if (!turned) {
    const unseen = source === "log" ? unseenInLog(scores) : "Imported results are not watched for a turn: only a score in the log is.";
    const newest = drop > 0 ? `the newest evaluations lie ${since} below it` : "the newest evaluations lie no lower";
    return `${unseen} The score is highest about step ${sayInteger(peakStep)} (${interval}); ${newest}.`;
  }
  const what = proxyRises === true ? "Reward climbs while held-out score falls" : "Held-out score falls while training goes on";
  return `${what}, turning point at step ${sayInteger(peakStep)} (${interval}); it has lost ${since} since.`;
}

/** A score that nobody watches has not been found to hold. */
function unseenInLog(scores: number): string {
  const unwatched = `: of ${sayInteger(scores)} held-out scores the ${WATCHED_SCORES} that were logged first are watched`;
  return `No turning point is shown${scores > WATCHED_SCORES ? unwatched : ""}.`;
}
