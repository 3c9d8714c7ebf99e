import type { MicroStep } from "./deepspeed-line.ts";

/** Turns "batch k of epoch e" into counters over all epochs. */
export interface EpochCounter {
  /** The source says how many batches each epoch has. */
  batches(perEpoch: number): void;
  /** A line that names micro step and optimizer step together. */
  optimizerStep(micro: MicroStep, step: number): void;
  /** Batches before this one, over all epochs. */
  global(epoch: number, batch: number): number;
  /** Optimizer steps after so many whole epochs; null when the log has not told. */
  stepsAfter(epochs: number): number | null;
}

/**
 * Batch counters of DeepSpeed-Chat begin again with each epoch, which is no restart. With a known epoch length the
 * counter is exact; without it an epoch begins one after the last batch seen. A falling epoch is a new launch.
 */
export function epochCounter(): EpochCounter {
  let perEpoch: number | undefined;
  let microStepsPerStep: number | undefined;
  let currentEpoch = 0;
  let base = 0;
  let last = -1;
  return {
    batches(count) {
      perEpoch = count > 0 ? count : undefined;
    },
    optimizerStep({ epoch, microStep }, step) {
      // The micro step counts within the epoch, so only the first epoch tells the ratio.
      if (epoch === 0 && step > 0 && microStep % step === 0) microStepsPerStep = microStep / step;
    },
    global(epoch, batch) {
      if (perEpoch !== undefined) return epoch * perEpoch + batch;
      if (epoch > currentEpoch && last >= 0) base = last + 1;
      else if (epoch < currentEpoch) base = 0;
      currentEpoch = epoch;
      last = base + batch;
      return last;
    },
    stepsAfter(epochs) {
      if (epochs === 0) return 0;
      if (perEpoch === undefined || microStepsPerStep === undefined) return null;
      return Math.floor((epochs * perEpoch) / microStepsPerStep);
    },
  };
}
