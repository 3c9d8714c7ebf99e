import type { LogRecord } from "@trainwatch/core";

/** The points of one Hugging Face state, by series and step. */
export type StatePoints = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Collects the points of a state; feed it every record of the file. */
export class StateCollector {
  private readonly series = new Map<string, Map<number, number>>();

  accept(record: LogRecord): void {
    if (record.kind !== "points" || record.step === null) return;
    for (const [name, value] of record.values) {
      const points = this.series.get(name) ?? new Map<number, number>();
      this.series.set(name, points);
      points.set(record.step, value);
    }
  }

  points(): StatePoints {
    return this.series;
  }
}

/**
 * For each state the index of the largest one that contains all its points (metric, step and value), or its own index.
 * Equal ones belong to the first. A state without points is contained in none.
 */
export function containers(states: readonly StatePoints[]): readonly number[] {
  const sizes = states.map((state) => [...state.values()].reduce((sum, points) => sum + points.size, 0));
  return states.map((state, index) => {
    const size = sizes[index] ?? 0;
    let best = index;
    for (const [other, candidate] of states.entries()) {
      const otherSize = sizes[other] ?? 0;
      const isLarger = otherSize > size || (otherSize === size && other < index);
      if (
        size > 0 &&
        isLarger &&
        otherSize >= (sizes[best] ?? 0) &&
        (best === index || otherSize > (sizes[best] ?? 0)) &&
        contains(candidate, state)
      )
        best = other;
    }
    return best;
  });
}

function contains(larger: StatePoints, smaller: StatePoints): boolean {
  for (const [name, points] of smaller) {
    const held = larger.get(name);
    if (held === undefined) return false;
    for (const [step, value] of points) if (!held.has(step) || !Object.is(held.get(step), value)) return false;
  }
  return true;
}
