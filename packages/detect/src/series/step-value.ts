/** One value of one series at one step: a sample without its metric. */
export interface StepValue {
  readonly step: number;
  /** End of the step, epoch milliseconds; null where the source has no time. */
  readonly timeMs: number | null;
  readonly value: number;
}
