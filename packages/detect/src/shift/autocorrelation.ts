/** Autocorrelations of the baseline's residuals, averaged over its fits: the noise that neighbouring samples share. JSON-safe. */
export interface Autocorrelation {
  /** By lag from 1. */
  rho: number[];
  fits: number;
  /** Samples behind the average, at most {@link MEMORY}. */
  samples: number;
}

const LAGS = 16;
/** Memory in samples: what two neighbours share is a trait of the run and the logger, slower to change than the level. */
const MEMORY = 256;
/** Residuals are clipped, in sigma, so that one outlier does not decide. */
const CLIP = 3;
const LARGEST_RHO = 0.95;
/** Samples below which the correlation of neighbours is not known well enough to rule it out. */
const YOUNG = 128;
/** The root of a variance ratio, and some more: a CUSUM of noise with memory alarms a little sooner than its long-run variance alone says. */
const HALF_AND_SOME = 0.575;
/** Samples that are detrended together in a full fit: an autocorrelation from n samples about their own line is too small by about (2 + 4ρ) / n (Kendall 1954). */
const DETRENDED = 64;

export function newAutocorrelation(): Autocorrelation {
  return { rho: Array.from({ length: LAGS }, () => 0), fits: 0, samples: 0 };
}

/** Adds the residuals of one fit, in their order and in sigma; `fresh` of them were not in the fit before. */
export function addResiduals(state: Autocorrelation, residuals: Float64Array, fresh: number): void {
  const count = residuals.length;
  let variance = 0;
  for (let index = 0; index < count; index++) {
    const clipped = Math.min(Math.max(residuals[index] ?? 0, -CLIP), CLIP);
    residuals[index] = clipped;
    variance += clipped * clipped;
  }
  if (variance === 0) return;
  state.fits++;
  state.samples = Math.min(MEMORY, Math.max(state.samples + fresh, count));
  const share = Math.max(1 / state.fits, Math.min(1, fresh / MEMORY));
  for (let lag = 1; lag <= LAGS; lag++) {
    let products = 0;
    for (let index = lag; index < count; index++) products += (residuals[index] ?? 0) * (residuals[index - lag] ?? 0);
    const before = state.rho[lag - 1] ?? 0;
    state.rho[lag - 1] = before + share * (products / variance - before);
  }
}

/**
 * Factor by which the long-run standard deviation of the noise exceeds that of one sample: 1 for white noise, 1.7 and 4.4 in the limit for AR(1) with 0.5 and 0.9. A
 * CUSUM of scores divided by it keeps its false-alarm rate. The larger of two estimates, each only as far as it exceeds its error and never under 1: Bartlett-weighted
 * autocovariances (Newey & West 1987), which see slow wandering, and the AR(1) plug-in (1 + ρ) / (1 - ρ) (Andrews 1991), which reaches beyond their last lag.
 */
export function longRunFactor(state: Autocorrelation): number {
  if (state.samples === 0) return 1;
  const error = 1 / Math.sqrt(state.samples);
  let ratio = 1;
  let errorSquares = 0;
  for (let lag = 1; lag <= LAGS; lag++) {
    const bartlett = 1 - lag / (LAGS + 1);
    ratio += 2 * bartlett * (state.rho[lag - 1] ?? 0);
    errorSquares += (2 * bartlett * error) ** 2;
  }
  return Math.max(1, ratio - Math.sqrt(errorSquares), plugIn(state, error)) ** HALF_AND_SOME;
}

/** AR(1) plug-in. While few samples have been seen, the upper end of what they allow is taken: a short log of noise with memory alarms before it is known to have one. */
function plugIn(state: Autocorrelation, error: number): number {
  const first = state.rho[0] ?? 0;
  const isYoung = state.samples < YOUNG;
  if (!isYoung && first < 2 * error) return 1;
  const corrected = first + (2 + 4 * Math.max(0, first)) / Math.min(DETRENDED, state.samples) + (isYoung ? error : 0);
  const rho = Math.min(LARGEST_RHO, Math.max(0, corrected));
  return (1 + rho) / (1 - rho);
}
