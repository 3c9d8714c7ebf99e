/** What counts as a one-step outlier of a metric. */
export interface SpikeParameters {
  /** Robust z from which a point is an outlier if it is also material, and whatever its size. */
  readonly materialZ: number;
  readonly anyZ: number;
  /** Least rise on the log scale that is material, and least rise at all. */
  readonly materialLog: number;
  readonly leastLog: number;
  /** Logged points after which the value must be back; a longer stay is a shift's matter. */
  readonly longest: number;
}

/** Samples of the level (the local median) and of the scale (MAD of what came after it). */
export const LEVEL_SAMPLES = 24;
export const SCALE_SAMPLES = 128;
/** Deviations needed before a point is judged when it arrives; earlier ones are judged again once as many points lie behind them. */
export const SETTLED_SAMPLES = 24;
/** Samples kept: enough to judge the first points from both sides. */
export const SPIKE_RING = LEVEL_SAMPLES + 2 * SETTLED_SAMPLES;
/** Share and number of outliers among the newest samples from which one speaks of a regime and no more of single points (F7), and where it ends. */
export const REGIME = { samples: 512, fewest: 12, share: 0.04, endShare: 0.01, leastJudged: 128 } as const;

export const LOSS_SPIKE = {
  materialZ: 5,
  anyZ: 8,
  materialLog: Math.log(1.1),
  leastLog: Math.log(1.01),
  longest: 5,
} satisfies SpikeParameters;
export const NORM_SPIKE = {
  materialZ: 5,
  anyZ: 8,
  materialLog: Math.log(2),
  leastLog: Math.log(1.5),
  longest: 5,
} satisfies SpikeParameters;
