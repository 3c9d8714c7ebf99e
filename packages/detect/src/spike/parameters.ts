import type { DetectorParameter, MonitorContext } from "../contract.ts";
import { parametersOf } from "../parameters.ts";

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
  /** Samples of the level (the local median) and of the scale (MAD of what came after it). */
  readonly levelSamples: number;
  readonly scaleSamples: number;
  /** Deviations needed before a point is judged when it arrives; earlier ones are judged again once as many points lie behind them. */
  readonly settledSamples: number;
}

/** A lower rise than these is no outlier however small the scatter. */
const LEAST_LOSS = 1.01;
const LEAST_NORM = 1.5;
/** Windows are part of every stored state. */
const MOST_WINDOW = 2_048;

/** The outlier rule's parameters as a detector's manual lists them. */
export const SPIKE_PARAMETERS = [
  { name: "z", value: 5, unit: "σ", meaning: "Robust z of a material outlier" },
  { name: "material_loss", value: 1.1, unit: "× level", meaning: "How high a loss must jump to be material", least: 1 },
  { name: "material_norm", value: 2, unit: "× level", meaning: "How high a norm must jump to be material", least: 1 },
  { name: "z_any", value: 8, unit: "σ", meaning: "Robust z of an outlier that is not material" },
  { name: "longest", value: 5, unit: "logged points", meaning: "A longer stay is no outlier but a shift" },
  { name: "level", value: 24, unit: "logged points", meaning: "Points before it whose median is the level", least: 8, most: MOST_WINDOW },
  { name: "scale", value: 128, unit: "logged points", meaning: "Points whose deviations make the scale", least: 16, most: MOST_WINDOW },
  {
    name: "late",
    value: 24,
    unit: "logged points",
    meaning: "Points that must follow an early point before it is judged from both sides",
    least: 8,
    most: MOST_WINDOW,
  },
] as const satisfies readonly DetectorParameter[];

type SpikeNumbers = ReturnType<typeof parametersOf<typeof SPIKE_PARAMETERS>>;

/** Where outliers are looked for. */
export const SPIKE_METRICS = ["loss", "grad_norm", "update_norm"] as const;
export type SpikeMetric = (typeof SPIKE_METRICS)[number];
export type SpikeRules = Readonly<Record<SpikeMetric, SpikeParameters>>;

export function isSpikeMetric(metric: string): metric is SpikeMetric {
  return SPIKE_METRICS.some((name) => name === metric);
}

/** What counts as an outlier of the loss and of each norm, under these numbers. */
export function spikeRules(numbers: SpikeNumbers): SpikeRules {
  const norm = engine(numbers, numbers.material_norm, LEAST_NORM);
  return { loss: engine(numbers, numbers.material_loss, LEAST_LOSS), grad_norm: norm, update_norm: norm };
}

function engine(numbers: SpikeNumbers, material: number, least: number): SpikeParameters {
  return {
    materialZ: numbers.z,
    anyZ: numbers.z_any,
    materialLog: Math.log(material),
    leastLog: Math.log(least),
    longest: numbers.longest,
    levelSamples: numbers.level,
    scaleSamples: numbers.scale,
    settledSamples: numbers.late,
  };
}

/** The rule with the numbers that nobody has overridden. */
const DEFAULT_NUMBERS = parametersOf({ id: "", parameters: SPIKE_PARAMETERS }, {});

/** The outlier rule for another metric, from its own levels and the usual windows. */
export function spikeRule(own: Omit<SpikeParameters, "levelSamples" | "scaleSamples" | "settledSamples">): SpikeParameters {
  const { levelSamples, scaleSamples, settledSamples } = engine(DEFAULT_NUMBERS, 1, 1);
  return { ...own, levelSamples, scaleSamples, settledSamples };
}

export const DEFAULT_SPIKE_RULES = spikeRules(DEFAULT_NUMBERS);

/** Samples kept: enough to judge the first points from both sides. */
export function spikeRing({ levelSamples, settledSamples }: SpikeParameters): number {
  return levelSamples + 2 * settledSamples;
}

/** Fewest judged samples of which a share is taken. */
export const LEAST_JUDGED = 128;
export const REGIME_ID = "unstable-regime";

/** Share and number of outliers among the newest samples from which one speaks of a regime and no more of single points (F7), and where it ends. */
export const REGIME_PARAMETERS = [
  { name: "share", value: 4, unit: "%", meaning: "Share of outliers from which it is a regime", most: 100 },
  { name: "end_share", value: 1, unit: "%", meaning: "Share below which the regime has ended", most: 100 },
  { name: "window", value: 512, unit: "logged points", meaning: "Points the share is taken over", least: LEAST_JUDGED, most: 8_192 },
  { name: "fewest", value: 12, unit: "outliers", meaning: "Fewest outliers for a regime" },
] as const satisfies readonly DetectorParameter[];

export interface RegimeRules {
  /** 0 to 1. */
  readonly share: number;
  readonly endShare: number;
  readonly samples: number;
  readonly fewest: number;
}

/** As the unstable-regime detector has them: what single outliers are silent about must be what that detector tells. */
export function regimeRules(context: Pick<MonitorContext, "parameters">): RegimeRules {
  const values = parametersOf({ id: REGIME_ID, parameters: REGIME_PARAMETERS }, context);
  return { share: values.share / 100, endShare: values.end_share / 100, samples: values.window, fewest: values.fewest };
}
