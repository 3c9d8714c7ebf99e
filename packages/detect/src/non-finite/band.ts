import { earliestStep } from "../series/earliest-step.ts";

/** A stretch of non-finite values of one series, finite ones within it counted apart. JSON-safe. */
export interface Band {
  firstStep: number;
  firstTimeMs: number | null;
  /** The step after the last finite one before it. */
  lowerStep: number;
  lastStep: number;
  count: number;
  notANumber: number;
  /** Newest run of non-finite samples without a finite one, and the longest. */
  run: number;
  longestRun: number;
  /** Finite samples since the last non-finite one, and in all since the band began. */
  finiteSince: number;
  finiteWithin: number;
  lastFinite: number | null;
  /** Whether the loss scale fell while it lasted, and whether it stood at its floor. */
  scaleFell: boolean;
  scaleAtFloor: boolean;
  /** Whether any finite value was seen before it. */
  hadFinite: boolean;
}

export function openBand(
  step: number,
  timeMs: number | null,
  value: number,
  lastFiniteStep: number | null,
  lastFinite: number | null,
): Band {
  return {
    firstStep: step,
    firstTimeMs: timeMs,
    lowerStep: earliestStep(lastFiniteStep, step),
    lastStep: step,
    count: 1,
    notANumber: Number.isNaN(value) ? 1 : 0,
    run: 1,
    longestRun: 1,
    finiteSince: 0,
    finiteWithin: 0,
    lastFinite,
    scaleFell: false,
    scaleAtFloor: false,
    hadFinite: lastFinite !== null,
  };
}

export function extendBand(band: Band, step: number, value: number): void {
  band.count++;
  if (Number.isNaN(value)) band.notANumber++;
  band.run = band.finiteSince === 0 ? band.run + 1 : 1;
  band.longestRun = Math.max(band.longestRun, band.run);
  band.finiteWithin += band.finiteSince;
  band.finiteSince = 0;
  band.lastStep = step;
}

/** A long band is told of at each doubling up to 64 values and each 64 from there on. */
export function isWorthTelling(count: number): boolean {
  return count % 64 === 0 || (count < 64 && (count & (count - 1)) === 0);
}
