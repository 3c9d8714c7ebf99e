/** What is known of one excursion of one series: the facts that a finding is worded from. JSON-safe, steps as logged. */
export interface ShiftRecord {
  detectedStep: number;
  detectedTimeMs: number | null;
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  shape: "jump" | "ramp";
  peakStep: number;
  peakValue: number;
  /** Peak above the baseline, in sigma. */
  peakSigma: number;
  /** What the baseline expected at the onset, in the metric's unit. */
  baselineValue: number;
  /** Samples that the baseline rests on, and the factor by which shared noise widened the scale. */
  baselineSamples: number;
  noiseFactor: number;
  state: "ongoing" | "recovered" | "shifted" | "diverged";
  /** Last step out of the band; null while it goes on. */
  endStep: number | null;
  levelShift: { value: number; standardError: number } | null;
  /** Median of the newest block above the baseline, in sigma. */
  levelSigma: number;
  /** Excursions folded into this record, each within a quiet stretch of the one before (F7). */
  episodes: number;
  /** Samples above 3 sigma, and samples from the onset to the newest. */
  samplesOut: number;
  samples: number;
  lastStep: number;
}
