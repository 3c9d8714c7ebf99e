import { sayInteger, sayValue } from "@trainwatch/core";
import { evidence } from "../finding/make-finding.ts";
import { defineWatch } from "./define-watch.ts";

const METRIC = "policy_staleness";

export const policyStaleness = defineWatch({
  id: "policy-staleness",
  version: 1,
  title: "Stale rollouts",
  finds: "Answers that were sampled by a policy many updates old when they are trained on.",
  source: "AReaL's bound on staleness (detection.md F.3, from memory: 8 versions)",
  metrics: [METRIC],
  parameters: [
    { name: "most", value: 8, unit: "policy versions", meaning: "Versions between sampling and update above which it counts" },
    { name: "points", value: 5, unit: "logged points", meaning: "So many in a row before it speaks", most: 256 },
  ],
  fresh: () => ({ seen: 0 }),
  read({ most }, signal, { metric, value }) {
    if (metric !== METRIC) return null;
    signal.seen++;
    const text = `${sayValue(value)} policy versions lie between sampling and update; at most ${sayValue(most)} are meant to`;
    return { track: METRIC, level: value > most ? 1 : 0, value, baseline: most, worse: "higher", text };
  },
  persistence: ({ points }) => ({ warn: points, page: Number.POSITIVE_INFINITY, calm: 2 * points }),
  blind: (_rules, { seen }) => (seen === 0 ? "no staleness of rollouts is logged" : null),
  summary: ({ most }, { peak, onsetStep }) =>
    `Rollouts are up to ${sayValue(peak)} policy versions old since step ${sayInteger(onsetStep)}, more than ${sayValue(most)}`,
  against: () => [evidence("against", "Decoupled objectives bear some staleness; reward and KL say whether it harms")],
});
