/** One column of a sketch. Extremes are of all its finite points. */
export interface SketchColumn {
  readonly min: number | null;
  readonly max: number | null;
  readonly nonFinite: number;
}

interface Bin {
  min: number;
  max: number;
  nonFinite: number;
}

/** Bins kept: each terminal column gets a whole number of them or more. */
const BINS = 1_024;

/**
 * The outline of a series over its steps in bounded memory: bins widen by doubling as steps grow, and keep the exact minimum and
 * maximum, so that a spike of one point survives any length.
 */
export class ChartSketch {
  private bins = new Map<number, Bin>();
  private width = 1;
  private first = Number.POSITIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;

  add(step: number, value: number): void {
    if (step < this.first) this.first = step;
    if (step > this.last) this.last = step;
    while (Math.floor(this.last / this.width) - Math.floor(this.first / this.width) >= BINS) this.widen();
    const key = Math.floor(step / this.width);
    const bin = this.bins.get(key);
    if (bin === undefined)
      this.bins.set(
        key,
        Number.isFinite(value)
          ? { min: value, max: value, nonFinite: 0 }
          : { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, nonFinite: 1 },
      );
    else if (!Number.isFinite(value)) bin.nonFinite++;
    else {
      if (value < bin.min) bin.min = value;
      if (value > bin.max) bin.max = value;
    }
  }

  /** Null before the first point. */
  range(): { readonly first: number; readonly last: number } | null {
    return this.first > this.last ? null : { first: this.first, last: this.last };
  }

  /** The outline in `count` columns from the first step to the last. */
  columns(count: number): readonly SketchColumn[] {
    const columns: Bin[] = Array.from({ length: count }, () => ({
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
      nonFinite: 0,
    }));
    const span = this.last - this.first + 1;
    for (const [key, bin] of this.bins) {
      const at = Math.max(this.first, key * this.width);
      const column = columns[Math.min(count - 1, Math.floor(((at - this.first) / span) * count))];
      if (column !== undefined) absorb(column, bin);
    }
    return columns.map(({ min, max, nonFinite }) => ({ min: min > max ? null : min, max: min > max ? null : max, nonFinite }));
  }

  private widen(): void {
    this.width *= 2;
    const wider = new Map<number, Bin>();
    for (const [key, bin] of this.bins) {
      const half = Math.floor(key / 2);
      const held = wider.get(half);
      if (held === undefined) wider.set(half, bin);
      else absorb(held, bin);
    }
    this.bins = wider;
  }
}

function absorb(into: Bin, from: Bin): void {
  into.min = Math.min(into.min, from.min);
  into.max = Math.max(into.max, from.max);
  into.nonFinite += from.nonFinite;
}
