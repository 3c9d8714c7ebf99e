/** Turns "batch k of epoch e" into one counter over all epochs. */
export interface EpochCounter {
  /** The source says how many batches each epoch has. */
  batches(perEpoch: number): void;
  /** Batches before this one, over all epochs. */
  global(epoch: number, batch: number): number;
}

/**
 * Batch counters of DeepSpeed-Chat begin again with each epoch, which is no restart. With a known epoch length the
 * counter is exact; without it an epoch begins one after the last batch seen. A falling epoch is a new launch.
 */
export function epochCounter(): EpochCounter {
  let perEpoch: number | undefined;
  let currentEpoch = 0;
  let base = 0;
  let last = -1;
  return {
    batches(count) {
      perEpoch = count > 0 ? count : undefined;
    },
    global(epoch, batch) {
      if (perEpoch !== undefined) return epoch * perEpoch + batch;
      if (epoch > currentEpoch && last >= 0) base = last + 1;
      else if (epoch < currentEpoch) base = 0;
      currentEpoch = epoch;
      last = base + batch;
      return last;
    },
  };
}
