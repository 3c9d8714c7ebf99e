/** Notes, and checkpoints, of a run that are looked through for its phase and its saves. */
export const NEWEST_MARKS = 32;
/** A run whose step moved so recently is not asked what its GPUs do: nothing hangs yet. */
export const STILL_MS = 20_000;
