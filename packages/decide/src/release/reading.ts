import type { JsonNumber, MeasureDescription } from "@trainwatch/core";
import { sayInteger, toJsonNumber } from "@trainwatch/core";
import { normalQuantile, wilsonInterval } from "@trainwatch/stats";
import type { MeasureInput } from "./contract.ts";
import { meanError, readSamples } from "./sample-scores.ts";
import { rescaled, toRowUnit } from "./row-unit.ts";
import type { SampleScores } from "./sample-scores.ts";

/** Where the error of a value comes from. */
export type ErrorSource = "samples" | "stderr" | "interval" | "binomial";

/** One column's result in one row, ready to be compared. */
export interface Reading {
  readonly measure: MeasureInput;
  /** As it is shown, non-finite included. */
  readonly shown: JsonNumber;
  /** Null: nothing to compare (missing, "N/A", non-finite). */
  readonly value: number | null;
  readonly error: number | null;
  readonly source: ErrorSource | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number | null;
  readonly unscored: number;
  /** Samples whose mean, times `factor`, is the value; null: no samples, or the value is no mean of them. */
  readonly samples: SampleScores | null;
  readonly factor: number;
  readonly notes: readonly string[];
}

/** Whether there is a result and it can be compared. */
export function hasValue(reading: Reading | null | undefined): reading is Reading & { readonly value: number } {
  return reading !== null && reading !== undefined && reading.value !== null;
}

export interface ReadingOptions {
  readonly level: number;
  /** What is known of this result beside the measure itself. */
  readonly notes?: readonly string[];
}

/**
 * Reads a measure: its value (the mean of its samples where the source prints none), its error (from the samples, else as printed, else binomial where
 * the value is a share of n), and its samples where they are what the value is the mean of.
 */
export function readMeasure(given: MeasureInput, description: MeasureDescription, { level, notes = [] }: ReadingOptions): Reading {
  const z = normalQuantile((1 + level) / 2);
  const measure = inRowUnit(given, description);
  const told = measure.samples?.epochs ?? epochsOf(measure);
  const samples = measure.samples === null ? null : readSamples(measure.samples, told);
  const tie = samples === null ? null : tieToSamples(measure.value, samples, description);
  const value = measure.value ?? (samples === null || samples.n === 0 || tie === null ? null : samples.mean * tie);
  const said = [...notes, ...sampleNotes(samples, tie, value)];
  const base = {
    measure,
    shown: toJsonNumber(value),
    n: tie === null ? measure.n : (samples?.n ?? measure.n),
    unscored: samples?.unscored ?? 0,
    samples: tie === null || samples === null || samples.n < 2 ? null : samples,
    factor: tie ?? 1,
  };
  const unknown = { error: null, source: null, low: null, high: null };
  if (value === null || !Number.isFinite(value)) {
    const why = value === null ? [] : [`The value is ${toJsonNumber(value)}`];
    return { ...base, ...unknown, value: null, notes: [...said, ...why] };
  }
  return { ...base, value, ...(errorOf(measure, value, base, description, { level, z }) ?? unknown), notes: said };
}

/** The measure with its printed numbers in the row's unit; its samples are tied to them apart. */
function inRowUnit(measure: MeasureInput, description: MeasureDescription): MeasureInput {
  const factor = toRowUnit(measure, description);
  if (factor === 1) return measure;
  const scaled = (value: number | null): number | null => (value === null ? null : rescaled(value, factor));
  const { value, stderr, interval } = measure;
  return {
    ...measure,
    value: scaled(value),
    stderr: scaled(stderr),
    interval: interval === null ? null : [rescaled(interval[0], factor), rescaled(interval[1], factor)],
  };
}

function epochsOf(measure: MeasureInput): number | null {
  const epochs = Number(measure.settings["epochs"] ?? Number.NaN);
  return Number.isFinite(epochs) ? epochs : null;
}

/** Values of print and of samples may differ by rounding. */
const SAME = 0.0051;

/**
 * What the mean of the samples has to be multiplied by to be the value: 1, or 100 for scores in shares and a value in %; null where it is neither. Near
 * zero both come near: the nearer one is meant.
 */
function tieToSamples(value: number | null, samples: SampleScores, { range }: MeasureDescription): number | null {
  if (samples.n === 0) return null;
  const factors = range === "percent" && samples.isShare ? [100, 1] : [1];
  // Without a value in print, scores that are shares are shares of the unit told.
  if (value === null) return factors[0] ?? 1;
  if (!Number.isFinite(value)) return null;
  const slack = range === "percent" ? 100 * SAME : range === "share" ? SAME : SAME * Math.max(Math.abs(value), 1e-9);
  const off = (factor: number): number => Math.abs(samples.mean * factor - value);
  return factors.filter((factor) => off(factor) <= slack).sort((a, b) => off(a) - off(b))[0] ?? null;
}

function sampleNotes(samples: SampleScores | null, tie: number | null, value: number | null): readonly string[] {
  if (samples === null) return [];
  const notes: string[] = [];
  if (samples.unscored > 0) notes.push(`${count(samples.unscored, "sample")} unscored`);
  if (samples.nonFinite > 0) notes.push(`${count(samples.nonFinite, "score")} not finite, counted as unscored`);
  if (tie === null && samples.n > 0 && value !== null && Number.isFinite(value)) {
    notes.push("The value is no mean of its samples, so samples are not paired");
  }
  return notes;
}

export function count(number: number, word: string): string {
  return `${sayInteger(number)} ${word}${number === 1 ? "" : "s"}`;
}

/** Means of something else than a pass or a fail, whose spread is not that of a share. */
const NO_PROPORTION = /f1|mc2|ece|calibration|length_?controlled|^lc_|spread|_sd$|similarity|rouge|bleu/i;

function errorOf(
  measure: MeasureInput,
  value: number,
  { samples, factor, n }: { readonly samples: SampleScores | null; readonly factor: number; readonly n: number | null },
  { range }: MeasureDescription,
  { level, z }: { readonly level: number; readonly z: number },
): { readonly error: number; readonly source: ErrorSource; readonly low: number; readonly high: number } | null {
  const own = samples === null ? null : meanError(samples, level, z);
  if (own !== null) {
    const shift = value - (samples?.mean ?? 0) * factor;
    return { error: own.error * factor, source: "samples", low: own.low * factor + shift, high: own.high * factor + shift };
  }
  const scale = range === "percent" ? 100 : 1;
  const within = (low: number, high: number): { low: number; high: number } =>
    range === "open" ? { low, high } : { low: Math.max(0, low), high: Math.min(scale, high) };
  // An error of 0 is what harnesses print for too few samples to have a spread.
  if (measure.stderr !== null && measure.stderr > 0 && Number.isFinite(measure.stderr)) {
    const half = z * measure.stderr;
    return { error: measure.stderr, source: "stderr", ...within(value - half, value + half) };
  }
  if (measure.interval !== null && measure.interval[1] > measure.interval[0]) {
    const stretch = z / normalQuantile(0.975);
    const [low, high] = measure.interval;
    return {
      error: (high - low) / (2 * normalQuantile(0.975)),
      source: "interval",
      ...within(value - (value - low) * stretch, value + (high - value) * stretch),
    };
  }
  const share = value / scale;
  const isMean = measure.group === null || measure.group.mean === "micro";
  if (range === "open" || n === null || n < 1 || share < 0 || share > 1 || !isMean || NO_PROPORTION.test(measure.metric)) return null;
  const { low, high } = wilsonInterval(share * n, n, z);
  const error = Math.sqrt((share * (1 - share)) / n);
  return { error: (error === 0 ? (high - low) / (2 * z) : error) * scale, source: "binomial", low: low * scale, high: high * scale };
}
