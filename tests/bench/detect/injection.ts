import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Sample } from "@trainwatch/core";
import { DETECTORS, monitorOf } from "@trainwatch/detect";
import { MAD_TO_SIGMA, median, quantile, seededRandom, wilsonInterval } from "@trainwatch/stats";
import type { Random } from "@trainwatch/stats";
import { CORPUS_FOLDER } from "../../corpora/corpus-folder.ts";
import { expectedRows } from "../../corpora/expected-rows.ts";
import { readAttempts } from "../../corpora/read-attempts.ts";
import type { CorpusSet } from "./corpus-verdicts.ts";
import { setOf } from "./corpus-verdicts.ts";

/** detection.md L.1 and L.11: delays in logged points at the median, share found, and the onset's lower end. */
export const GOALS = { threeSigma: 8, fiveSigma: 4, found: 0.85, lowerBefore: 0.95, jumpOnset: 1 } as const;

/** A log must be long enough for a full baseline and something after it. */
const LEAST_POINTS = 250;
const PLACES = 20;
const BEFORE = 1_200;
const AFTER = 200;
/** An alarm up to so many points before the injection would be a false one that happens to be near. */
const NEAR = 8;
const LOSS_SHIFT = DETECTORS.filter((entry) => entry.id === "loss-shift");

interface Shape {
  readonly name: string;
  readonly kind: "jump" | "ramp";
  readonly sigma: number;
  height(age: number): number;
}

const SHAPES: readonly Shape[] = [
  { name: "shift 2 σ", kind: "jump", sigma: 2, height: () => 2 },
  { name: "shift 3 σ", kind: "jump", sigma: 3, height: () => 3 },
  { name: "shift 5 σ", kind: "jump", sigma: 5, height: () => 5 },
  { name: "transient 8 σ, half-life 5", kind: "jump", sigma: 8, height: (age) => 8 * 0.5 ** (age / 5) },
  { name: "ramp 0.05 σ a point", kind: "ramp", sigma: 0.05, height: (age) => 0.05 * (age + 1) },
  { name: "ramp 0.2 σ a point", kind: "ramp", sigma: 0.2, height: (age) => 0.2 * (age + 1) },
];

export interface InjectionLine extends Readonly<Record<string, string | number>> {
  readonly set: CorpusSet;
  readonly shape: string;
  readonly injected: number;
  readonly found: number;
  readonly "found, 95 % from": number;
  /** Of all, those not found counted as never. */
  readonly "median delay": number;
  readonly "onset error p50": number;
  readonly "onset error p90": number;
  readonly "lower end before": number;
}

interface Outcome {
  readonly delay: number;
  readonly onsetError: number | null;
  readonly lowerBefore: boolean | null;
}

/** Adds faults of known size at random places of healthy real logs; sizes in the local sigma (MAD of first differences, detection.md H). */
export function injectInto(set: CorpusSet): readonly InjectionLine[] {
  const logs = healthyLogs(set);
  return SHAPES.map((shape) => {
    const random = seededRandom(20_26);
    const outcomes = logs.flatMap((samples) => Array.from({ length: PLACES }, () => inject(samples, shape, random)));
    return summarise(set, shape.name, outcomes);
  });
}

/** On the judged set alone. A detector that never speaks has a delay of 9999 and fails. */
export function meetsGoals(lines: readonly InjectionLine[]): boolean {
  const judged = lines.filter((line) => line.set === "judged" && line.injected > 0);
  const three = judged.find((line) => line.shape === "shift 3 σ");
  const five = judged.find((line) => line.shape === "shift 5 σ");
  if (three === undefined || five === undefined) return false;
  const soon = three["median delay"] <= GOALS.threeSigma && five["median delay"] <= GOALS.fiveSigma && five.found >= GOALS.found;
  const dated = five["onset error p90"] <= GOALS.jumpOnset && judged.every((line) => line["lower end before"] >= GOALS.lowerBefore);
  return soon && dated;
}

function healthyLogs(set: CorpusSet): readonly (readonly Sample[])[] {
  const labelled = new Map<string, boolean>();
  for (const row of expectedRows())
    labelled.set(row.file, (labelled.get(row.file) ?? true) && (row.class === "none" || row.class === "outlier"));
  return readdirSync(join(CORPUS_FOLDER, "loss_curves"))
    .map((name) => `loss_curves/${name}`)
    .filter((file) => setOf(file) === set && labelled.get(file) === true)
    .flatMap((file) => [...readAttempts(file).attempts.values()])
    .map((samples) => samples.filter((sample) => sample.metric === "loss" && sample.value > 0))
    .filter((samples) => samples.length >= LEAST_POINTS);
}

function inject(samples: readonly Sample[], shape: Shape, random: Random): Outcome {
  const earliest = Math.max(160, Math.floor(samples.length * 0.3));
  const at = earliest + Math.floor(random() * (samples.length - 20 - earliest));
  const sigma = localSigma(samples, at);
  const monitor = monitorOf(LOSS_SHIFT, { run: "bench/injection", attempt: "a1" });
  for (let index = Math.max(0, at - BEFORE); index < Math.min(samples.length, at + AFTER); index++) {
    const sample = samples[index];
    if (sample === undefined) break;
    const value = index < at ? sample.value : sample.value * Math.exp(sigma * shape.height(index - at));
    const finding = monitor.observe([{ ...sample, value }]).find((one) => one.detectedStep === sample.step);
    if (finding === undefined || index < at - NEAR) continue;
    const onset = samples.findIndex((one) => one.step === finding.onsetStep);
    return {
      delay: index - at + 1,
      onsetError: Math.abs(onset - at),
      lowerBefore: (finding.onsetLowerStep ?? 0) <= (samples[at]?.step ?? 0),
    };
  }
  return { delay: Number.POSITIVE_INFINITY, onsetError: null, lowerBefore: null };
}

function localSigma(samples: readonly Sample[], at: number): number {
  const steps: number[] = [];
  for (let index = Math.max(1, at - 128); index < at; index++)
    steps.push(Math.abs(Math.log((samples[index]?.value ?? 1) / (samples[index - 1]?.value ?? 1))));
  return (MAD_TO_SIGMA * median(steps)) / Math.SQRT2;
}

function summarise(set: CorpusSet, shape: string, outcomes: readonly Outcome[]): InjectionLine {
  const found = outcomes.filter((outcome) => outcome.onsetError !== null);
  const errors = found.flatMap(({ onsetError }) => onsetError ?? []);
  const share = (count: number): number => Number((count / Math.max(1, outcomes.length)).toFixed(3));
  return {
    set,
    shape,
    injected: outcomes.length,
    found: share(found.length),
    "found, 95 % from": Number(wilsonInterval(found.length, outcomes.length).low.toFixed(3)),
    "median delay": middle(outcomes.map(({ delay }) => delay)),
    "onset error p50": errors.length === 0 ? -1 : Number(quantile(errors, 0.5).toFixed(1)),
    "onset error p90": errors.length === 0 ? -1 : Number(quantile(errors, 0.9).toFixed(1)),
    "lower end before": Number((found.filter(({ lowerBefore }) => lowerBefore === true).length / Math.max(1, found.length)).toFixed(3)),
  };
}

/** Upper median: Infinity sorts last, so what was never found counts. JSON has no Infinity; 9999 stands for never. */
function middle(delays: readonly number[]): number {
  const sorted = delays.toSorted((a, b) => a - b);
  return Math.min(9_999, sorted[sorted.length >> 1] ?? 9_999);
}
