import { metricEntry, sayInteger } from "@trainwatch/core";
import type { Sample } from "@trainwatch/core";
import type { DetectorParameter } from "../contract.ts";
import { evidence } from "../finding/make-finding.ts";
import type { Level } from "./episode.ts";
import { defineWatch } from "./define-watch.ts";
import { meanOf, pushRecent, sayPercent } from "./recent.ts";

/** What is known beside a share and how it bears on it. `state` is plain JSON and is changed in place. */
export interface Beside<B extends object> {
  readonly metrics: readonly string[];
  readonly parameters: readonly DetectorParameter[];
  fresh(): B;
  /** Takes a sample of any metric that the detector reads, the share too. */
  take(state: B, sample: Sample): void;
  judge(rules: Rules, state: B): Bearing;
}
export type Rules = Readonly<Record<string, number>>;

export interface Bearing {
  /** Share that is to be expected with nothing amiss: the bounds are of what is left of one above it. */
  readonly expected: number;
  /** One sentence without a full stop. */
  readonly fact: string;
}

/** A share of samples, groups or tokens that must stay small. */
export interface ShareSpec {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly finds: string;
  readonly source: string;
  readonly metric: string;
  readonly warn: number;
  /** Null: it never pages. */
  readonly page: number | null;
  /** Logged points whose mean is judged. */
  readonly window: number;
  /** As in `the share of … is`: what is counted. */
  readonly counted: string;
  /** As in `no … is logged`. */
  readonly logged: string;
  readonly meaning: string;
  readonly against: string;
}

/** Means of so many windows in a row before it speaks: the first full one may still hold what came before. */
const IN_A_ROW = 3;
const CALM_WINDOWS = 2;

/** Its state is never looked at: what was stored before there was a place for it goes on as it is. */
const NOTHING: Beside<object> = {
  metrics: [],
  parameters: [],
  fresh: () => ({}),
  take() {},
  judge: () => ({ expected: 0, fact: "" }),
};

/** Detector of a share above a level, judged on the mean over a window. */
export const shareLevel = (spec: ShareSpec) => shareLevelBeside(spec, NOTHING);

/** The same where more is known than the share alone. */
export function shareLevelBeside<B extends object>(spec: ShareSpec, beside: Beside<B>) {
  const parameters: readonly DetectorParameter[] = [
    { name: "warn", value: spec.warn, unit: "share", meaning: `Mean ${spec.counted} above this is a warning`, most: 1 },
    ...(spec.page === null ? [] : [{ name: "page", value: spec.page, unit: "share", meaning: "And above this a page", most: 1 }]),
    { name: "window", value: spec.window, unit: "logged points", meaning: "Points whose mean is judged", least: 2, most: 256 },
    ...beside.parameters,
  ];
  return defineWatch({
    id: spec.id,
    version: spec.version,
    title: spec.title,
    finds: spec.finds,
    source: spec.source,
    metrics: [spec.metric, ...beside.metrics],
    parameters,
    fresh: () => ({ recent: [] as number[], seen: 0, beside: beside.fresh() }),
    read(rules, signal, sample) {
      beside.take(signal.beside, sample);
      if (sample.metric !== spec.metric) return null;
      signal.seen++;
      const { warn = spec.warn, page = Number.POSITIVE_INFINITY, window = spec.window } = rules;
      pushRecent(signal.recent, window, sample.value);
      if (signal.recent.length < window) return null;
      const mean = meanOf(signal.recent);
      const { expected, fact } = beside.judge(rules, signal.beside);
      const bound = (share: number): number => expected + share * (1 - expected);
      const level: Level = mean > bound(page) ? 2 : mean > bound(warn) ? 1 : 0;
      const text = `Mean ${spec.counted} over ${sayInteger(window)} logged points is ${sayPercent(mean)}; above ${sayPercent(bound(level === 2 ? page : warn))} ${spec.meaning}`;
      return { track: spec.metric, level, value: mean, baseline: bound(warn), worse: "higher", text, ...(fact === "" ? {} : { fact }) };
    },
    persistence: ({ window = spec.window }) => ({ warn: IN_A_ROW, page: IN_A_ROW, calm: CALM_WINDOWS * window }),
    blind: ({ window = spec.window }, { seen }) => {
      if (seen === 0) return `no ${spec.logged} is logged`;
      return seen < window ? `too short: ${seen} points of ${spec.logged}, a mean needs ${window}` : null;
    },
    summary: (_rules, { peak, onsetStep }) =>
      `${metricEntry(spec.metric)?.title ?? spec.title}: the ${spec.counted} is up to ${sayPercent(peak)} since step ${sayInteger(onsetStep)}`,
    against: () => [evidence("against", spec.against)],
  });
}
