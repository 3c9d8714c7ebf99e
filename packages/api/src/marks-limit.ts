/** Checkpoints, notes and findings of one run that an answer holds: more are no picture. How many there are is told beside them. */
export const MARKS_LIMIT = 2_000;
