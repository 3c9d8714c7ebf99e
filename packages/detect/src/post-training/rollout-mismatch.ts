import { metricEntry, metricWords, sayInteger } from "@trainwatch/core";
import { evidence } from "../finding/make-finding.ts";
import { defineWatch } from "./define-watch.ts";
import type { Level } from "./episode.ts";

const KL = "rollout_mismatch_kl";
const GAP = "rollout_logprob_gap";
const ESS = "rollout_ess";
const WEIGHT = "rollout_weight_mean";

export const rolloutMismatch = defineWatch({
  id: "rollout-mismatch",
  version: 1,
  title: "Rollouts and trainer disagree",
  finds: "A sampler that gives its tokens other probabilities than the trainer does: the update is off-policy without knowing it.",
  source:
    "verl's health bounds for rollout correction (detection.md F.1): |KL| at most 0.1, ESS at least 0.3, mean weight within 0.5 and 2",
  metrics: [KL, GAP, ESS, WEIGHT],
  parameters: [
    {
      name: "kl",
      value: 0.1,
      unit: "nats",
      meaning: "KL, or mean gap of log-probabilities, between sampler and trainer that is a warning",
    },
    { name: "ess", value: 0.3, unit: "share", meaning: "Effective share of the samples below which it pages", most: 1 },
    { name: "weight", value: 2, unit: "×", meaning: "Mean importance weight above this, or below one over it, is a warning", least: 1 },
    { name: "points", value: 5, unit: "logged points", meaning: "So many in a row before it speaks", most: 256 },
  ],
  fresh: () => ({ seen: 0 }),
  read(rules, signal, { metric, value }) {
    const judged = ((): { readonly level: Level; readonly bound: number; readonly worse: "higher" | "lower" } | null => {
      if (metric === KL || metric === GAP)
        return { level: Math.abs(value) > rules.kl ? 1 : 0, bound: rules.kl, worse: value < 0 ? "lower" : "higher" };
      if (metric === ESS) return { level: value < rules.ess ? 2 : 0, bound: rules.ess, worse: "lower" };
      if (metric !== WEIGHT) return null;
      const isLow = value < 1;
      return {
        level: value > rules.weight || value < 1 / rules.weight ? 1 : 0,
        bound: isLow ? 1 / rules.weight : rules.weight,
        worse: isLow ? "lower" : "higher",
      };
    })();
    if (judged === null) return null;
    signal.seen++;
    const words = metricWords(metric, [value, judged.bound]);
    const text = `${metricEntry(metric)?.title ?? metric} is ${words.value(value)}; verl's bound is ${words.value(judged.bound)}`;
    return { track: metric, level: judged.level, value, baseline: judged.bound, worse: judged.worse, text };
  },
  persistence: ({ points }) => ({ warn: points, page: points, calm: 2 * points }),
  blind: (_rules, { seen }) => (seen === 0 ? "no measure of rollout against trainer is logged" : null),
  summary: (_rules, { track, peak, baseline, onsetStep }) => {
    const words = metricWords(track, [peak, baseline]);
    return `Rollouts and trainer disagree since step ${sayInteger(onsetStep)}: ${(metricEntry(track)?.title ?? track).toLowerCase()} ${words.value(peak)} beside a bound of ${words.value(baseline ?? Number.NaN)}`;
  },
  against: () => [
    evidence(
      "against",
      "Truncated importance weights (a cap of 2) bear some of it; a sampler in lower precision has some from the start",
      null,
      null,
      "detection.md F.1",
    ),
  ],
});
