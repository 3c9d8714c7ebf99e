/** The learning rate beside the loss: when it last changed by more than a schedule does between two logged points. JSON-safe. */
export interface RateCompanion {
  last: number | null;
  lastStep: number | null;
  change: { step: number; before: number; after: number } | null;
}

const NOTABLE_CHANGE = 0.2;

export function newRateCompanion(): RateCompanion {
  return { last: null, lastStep: null, change: null };
}

export function noteRate(companion: RateCompanion, step: number, value: number): void {
  if (!Number.isFinite(value) || (companion.lastStep !== null && step <= companion.lastStep)) return;
  const before = companion.last;
  if (before !== null && before > 0 && Math.abs(value / before - 1) > NOTABLE_CHANGE) companion.change = { step, before, after: value };
  companion.last = value;
  companion.lastStep = step;
}
