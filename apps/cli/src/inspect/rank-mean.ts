import type { Sample } from "@trainwatch/core";

/**
 * Ranks of one metric as one series: the mean over the ranks that report a step, as detectors want it (detection.md A.2).
 * A rank that is not finite makes the mean not finite. Holds one step.
 */
export class RankMean {
  private step: number | null = null;
  private sum = 0;
  private count = 0;
  private timeMs: number | null = null;
  private readonly metric: string;

  constructor(metric: string) {
    this.metric = metric;
  }

  /** Takes one rank's value; answers the sample of the step before once the step has moved on. */
  add(step: number, timeMs: number | null, value: number): Sample | null {
    const done = this.step !== null && this.step !== step ? this.take() : null;
    this.step = step;
    this.sum += value;
    this.count++;
    if (timeMs !== null && (this.timeMs === null || timeMs > this.timeMs)) this.timeMs = timeMs;
    return done;
  }

  /** The step that is still held, if any. */
  take(): Sample | null {
    if (this.step === null) return null;
    const sample: Sample = { metric: this.metric, step: this.step, timeMs: this.timeMs, value: this.sum / this.count };
    this.step = null;
    this.sum = 0;
    this.count = 0;
    this.timeMs = null;
    return sample;
  }
}
