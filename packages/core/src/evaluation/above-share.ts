/** Shares may be printed with a rounding above 1. */
const MOST_SHARE = 1 + 1e-6;

/** Whether a value of a measure that is a share by its name shows that its source writes the measure per cent: no share is above 1. */
export const isAboveShare = (value: number): boolean => value > MOST_SHARE;
