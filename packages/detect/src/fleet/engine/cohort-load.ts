import type { CohortLevel } from "./cohorts.ts";

/** What a cohort has done of late: by its name, [highest level, level at the last tick]. */
type Levels = Record<string, [number, number]>;

/** The highest level is forgotten by so much a tick (half in some four hours). */
const FORGET = 0.9995;

/**
 * Whether a cohort is at its work, and steadily: a checkpoint, a start or an end is read on some nodes before others, and says nothing of them. JSON-safe.
 */
export class CohortLoad {
  readonly #levels: Levels;
  readonly #share: number;
  readonly #steady: number;

  /** @param share of the highest level from which it works; @param steady greatest change from tick to tick, as a share */
  constructor(share: number, steady: number, stored: unknown) {
    this.#share = share;
    this.#steady = steady;
    this.#levels = isLevels(stored) ? structuredCloneOf(stored) : {};
  }

  /** @param name of the cohort, unique within the detector */
  isSteady(name: string, { median, count }: CohortLevel): boolean {
    if (count === 0) return false;
    const [highest, before] = this.#levels[name] ?? [0, Number.NaN];
    const top = Math.max(highest * FORGET, median);
    this.#levels[name] = [top, median];
    return median > 0 && median >= this.#share * top && Math.abs(median - before) <= this.#steady * median;
  }

  /** Cohorts that are gone are forgotten. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#levels)) if (!names.has(name)) delete this.#levels[name];
  }

  store(): Levels {
    return structuredCloneOf(this.#levels);
  }
}

function structuredCloneOf(levels: Levels): Levels {
  return Object.fromEntries(Object.entries(levels).map(([name, [top, last]]) => [name, [top, last]]));
}

function isLevels(stored: unknown): stored is Levels {
  return (
    typeof stored === "object" &&
    stored !== null &&
    Object.values(stored).every((level) => Array.isArray(level) && typeof level[0] === "number" && typeof level[1] === "number")
  );
}
