import { metricWords, sayInteger, sayValue } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import { evidence } from "../finding/make-finding.ts";
import { defineWatch } from "./define-watch.ts";
import type { Level, Reading } from "./episode.ts";
import { meanOf, pushRecent, sayPercent } from "./recent.ts";
import { changeOf, newHeld, pushHeld } from "./rise-test.ts";
import type { Held } from "./rise-test.ts";

const DISTINCT = "distinct_answers";
const MANY = "pass_at_k";
const ONE = "pass_at_1";
const START = 10;
const NEWEST = 10;

interface Signal {
  start: number[];
  recent: number[];
  many: Held;
  one: Held;
}

export const diversityCollapse = defineWatch({
  id: "diversity-collapse",
  version: 2,
  title: "Answers become alike",
  finds:
    "Fewer distinct answers to a prompt, or a pass@k that falls while pass@1 does not: the policy solves less with many tries than it did.",
  source: "Distinct answers and pass@k minus pass@1, detection.md F.3; levels are ours",
  metrics: [DISTINCT, MANY, ONE],
  parameters: [
    { name: "left", value: 0.5, unit: "of the start", meaning: "Distinct answers below this share of their start are a warning", most: 1 },
    { name: "fall", value: 3, unit: "σ", meaning: "Fall of pass@k below what it was, in standard errors, from which it pages" },
  ],
  fresh: (): Signal => ({ start: [], recent: [], many: newHeld(), one: newHeld() }),
  read(rules, signal, { metric, value }) {
    if (metric === ONE) pushHeld(signal.one, value);
    if (metric === DISTINCT) return distinct(rules.left, signal, value);
    if (metric !== MANY) return null;
    pushHeld(signal.many, value);
    return passes(rules.fall, signal);
  },
  persistence: () => ({ warn: 3, page: 3, calm: 10 }),
  blind: (_rules, { start, recent, many }) => {
    if (start.length === 0 && many.values.length === 0) return "neither distinct answers nor a pass@k is logged";
    const isShort = recent.length < NEWEST && changeOf(many, 0) === null;
    return isShort ? `too short: ${start.length + recent.length} points of distinct answers, ${many.values.length} of pass@k` : null;
  },
  summary: (_rules, { track, peak, baseline, onsetStep }) => {
    const words = metricWords(track, [peak, baseline]);
    const start = words.bare(baseline ?? Number.NaN);
    return track === DISTINCT
      ? `Answers to a prompt become alike since step ${sayInteger(onsetStep)}: ${words.value(peak)} distinct, ${start} at the start`
      : `Pass@k falls since step ${sayInteger(onsetStep)}, from ${start} to ${words.value(peak)}`;
  },
  against: () => [
    evidence("against", "A task with one right answer makes answers alike as it is learned: pass@1 says whether that is all"),
  ],
});

function distinct(left: number, signal: Signal, value: number): Reading | null {
  if (value < 0) return null;
  if (signal.start.length < START) {
    signal.start.push(value);
    return null;
  }
  pushRecent(signal.recent, NEWEST, value);
  const start = median(signal.start);
  if (signal.recent.length < NEWEST || start <= 0) return null;
  const now = meanOf(signal.recent);
  const text = `Distinct answers to a prompt are ${sayPercent(now / start)} of what they were at the start`;
  return { track: DISTINCT, level: now < left * start ? 1 : 0, value: now, baseline: start, worse: "lower", text };
}

function passes(fall: number, { many, one }: Signal): Reading | null {
  const change = changeOf(many, 1e-4);
  if (change === null) return null;
  const single = changeOf(one, 1e-4);
  // Where pass@1 falls as well it is the policy that degrades and not its variety: a ticket.
  const isAlone = single === null || single.z > -fall;
  const level: Level = change.z < -fall ? (isAlone ? 2 : 1) : 0;
  const beside = single === null ? "" : `; pass@1 went ${fromTo(ONE, single)}`;
  const text = `pass@k went ${fromTo(MANY, change)}, ${sayValue(-change.z)} standard errors down${beside}`;
  return { track: MANY, level, value: change.now, baseline: change.before, worse: "lower", text };
}

function fromTo(metric: string, { before, now }: { readonly before: number; readonly now: number }): string {
  const words = metricWords(metric, [before, now]);
  return `from ${words.bare(before)} to ${words.value(now)}`;
}
