import type { StoredBlock } from "./block.ts";
import { cellStart } from "./fold.ts";
import type { AttemptView } from "./attempt-view.ts";
import { cutCells } from "./segments.ts";

/** First and last position of the cells of a block on the axis. */
export interface CellEnds {
  readonly count: number;
  step(index: number): number;
  first(index: number): number | undefined;
  last(index: number): number | undefined;
}

/**
 * The cells that a window cuts: those of the steps where a segment of an attempt ends, and those of a series where an end in time falls
 * into one. Their place is taken by the points themselves.
 */
export class CutCells {
  readonly #level: number;
  readonly #bySteps: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #byEnds = new Map<string, Set<number>>();

  constructor(attempts: readonly AttemptView[], level: number) {
    this.#level = level;
    this.#bySteps = new Map(attempts.map((attempt) => [attempt.attemptId, cutCells(attempt.segments, level)]));
  }

  addCutByEnds(block: StoredBlock, ends: CellEnds, from: number, to: number): void {
    for (let index = 0; index < ends.count; index++) {
      const [first, last] = [ends.first(index), ends.last(index)];
      if (first === undefined || last === undefined || (first >= from && last <= to) || last < from || first > to) continue;
      const key = ownerKey(block);
      const cut = this.#byEnds.get(key) ?? new Set();
      this.#byEnds.set(key, cut.add(cellStart(ends.step(index), this.#level)));
    }
  }

  /** Whether a step of the block's series and attempt lies in a cut cell; null where none of them does. */
  of(block: StoredBlock): ((step: number) => boolean) | null {
    const starts = [...(this.#bySteps.get(block.attemptId) ?? []), ...(this.#byEnds.get(ownerKey(block)) ?? [])];
    if (starts.length === 0) return null;
    const width = 2 ** this.#level;
    // There are as many as the window has ends, and a few where a clock was set back.
    return (step) => {
      for (let index = 0; index < starts.length; index++) {
        const start = starts[index] ?? 0;
        if (step >= start && step < start + width) return true;
      }
      return false;
    };
  }

  /** Starts of all cut cells. */
  starts(): readonly number[] {
    return [...new Set([...this.#bySteps.values(), ...this.#byEnds.values()].flatMap((cut) => [...cut]))];
  }
}

function ownerKey({ seriesId, attemptId }: StoredBlock): string {
  return `${seriesId}:${attemptId}`;
}
