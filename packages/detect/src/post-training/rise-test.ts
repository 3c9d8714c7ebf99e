import { pushRecent, meanOf, sureScatterOf } from "./recent.ts";

/** Values by which the newest are judged. */
const NEWEST = 4;
const CAPACITY = 64;
const LEAST = 12;

/** Newest values of one series. JSON-safe. */
export interface Held {
  values: number[];
}

export const newHeld = (): Held => ({ values: [] });

export function pushHeld(held: Held, value: number): void {
  pushRecent(held.values, CAPACITY, value);
}

export interface Change {
  readonly before: number;
  readonly now: number;
  /** Change over its standard error. */
  readonly z: number;
}

/**
 * The newest four values against those before them, over the scatter between neighbours, or the error given where that is larger; null where too few are held. Values that do not
 * scatter at all have an error of `least`.
 */
export function changeOf({ values }: Held, least: number): Change | null {
  if (values.length < LEAST) return null;
  const older = values.slice(0, -NEWEST);
  const [before, now] = [meanOf(older), meanOf(values.slice(-NEWEST))];
  const error = Math.max(sureScatterOf(older), least) * Math.sqrt(1 / NEWEST + 1 / older.length);
  return { before, now, z: error > 0 ? (now - before) / error : 0 };
}
