import { evaluationMeasure } from "./evaluation/evaluation-measure.ts";
import { fieldOf } from "./fleet/catalogue/index.ts";
import { metricEntry } from "./metrics.ts";
import { sayFixed, sayQuantity, sayValue } from "./words.ts";

/** Writes values of one metric in sentences, all of them in the metric's own unit and shares per cent. */
export interface MetricWords {
  /** `56.4 %`, `2.20 nats`. */
  value(value: number): string;
  /** Without the unit, for the first of two: `from 62.4 to 56.4 %`. */
  bare(value: number): string;
  /** A difference or an error: `5.1 pp`, `0.230 nats`. */
  difference(value: number): string;
  /** With its sign: `−5.1 pp`. */
  signed(value: number): string;
  /** `5.1 ± 0.4 pp`. */
  within(value: number, error: number): string;
  /** A level, a difference or an error as a number of the unit, for a fact's own value. */
  scaled(value: number): number;
  /** Null where the metric has none. */
  readonly unit: string | null;
  /** Of differences: percentage points where levels are per cent. */
  readonly apart: string | null;
}

/** Metrics of training that are shares of one: the catalogue gives them no unit, since charts draw them as they are logged. */
const SHARES: ReadonlySet<string> = new Set([
  "truncation_share",
  "reward_saturation",
  "clip_fraction",
  "clip_fraction_low",
  "clip_fraction_high",
  "zero_variance_share",
  "success_rate",
  "rollout_ess",
  "pass_at_k",
  "pass_at_1",
  "hidden_test_failure",
  "test_file_edits",
  "sycophancy_flip",
  "win_rate_length_controlled",
]);

/** What is expected or fitted of a share may lie somewhat above 1, which shows no per cent yet. */
const FITTED = 1.25;

/**
 * The words of a metric's values. @param beside levels (never differences) that are spoken of, fitted ones among them: one outside [0, 1] shows that the source
 * means no share by the name, and then every value stays as it is.
 */
export function metricWords(metric: string, beside: readonly unknown[]): MetricWords {
  const levels = beside.filter((value) => typeof value === "number");
  return wordsOf(
    measureOf(
      metric,
      levels,
      levels.map((value) => (value > 1 && value < FITTED ? 1 : value)),
    ),
  );
}

/** The same where the points of the log are at hand: what lies above 1 there is no share, however little, as on the chart of them. @param points as logged, all of them */
export function loggedMetricWords(metric: string, points: readonly number[]): MetricWords {
  return wordsOf(measureOf(metric, points, points));
}

function wordsOf({ unit, scale, digits }: Measure): MetricWords {
  const bare = (value: number): string => inDigits(value * scale, digits);
  const apart = unit === "%" ? "pp" : unit;
  return {
    bare,
    value: (value) => sayQuantity(bare(value), unit),
    difference: (value) => sayQuantity(bare(value), apart),
    signed: (value) => sayQuantity(value > 0 && Number.isFinite(value) ? `+${bare(value)}` : bare(value), apart),
    within: (value, error) => `${bare(value)} ± ${sayQuantity(bare(error), apart)}`,
    scaled: (value) => value * scale,
    unit: unit === "" ? null : unit,
    apart: apart === "" ? null : apart,
  };
}

interface Measure {
  readonly unit: string;
  readonly scale: number;
  /** Undefined: three significant ones. */
  readonly digits: number | undefined;
}

/** @param evaluated the levels as they tell how an evaluation is written */
function measureOf(metric: string, levels: readonly number[], evaluated: readonly number[]): Measure {
  const known = metricEntry(metric) ?? fieldOf(metric);
  if (SHARES.has(metric) && levels.every((value) => value >= 0 && value <= 1)) return { unit: "%", scale: 100, digits: 1 };
  if (known !== undefined && known !== null) return { unit: known.unit, scale: 1, digits: undefined };
  const measure = evaluationMeasure(metric, evaluated);
  if (measure === null) return { unit: "", scale: 1, digits: undefined };
  return measure.unit === "%" ? measure : { ...measure, digits: undefined };
}

/** Fixed digits would show a small value as zero: three significant ones then. */
function inDigits(shown: number, digits: number | undefined): string {
  if (digits === undefined || !Number.isFinite(shown)) return sayValue(shown);
  const isHidden = shown !== 0 && Math.abs(shown) < 0.5 * 10 ** -digits;
  return isHidden ? sayValue(shown) : sayFixed(shown, digits);
}
