/** Where the points of a row stand in the order of a push: by attempt (its place in the order of launch), then by step. */
export interface RowSpan {
  readonly attempt: number;
  readonly loStep: number;
  readonly hiStep: number;
  /** Points of the push in the row. */
  readonly size: number;
}

export interface RowSlice<Row> {
  /** Rows that hold all points asked for, and perhaps some around them. */
  readonly rows: readonly Row[];
  /** Points of the push that lie before every point of `rows`. */
  readonly before: number;
}

interface Place {
  readonly attempt: number;
  readonly step: number;
}

/**
 * Rows among which the points `offset` to `offset + limit` of a push lie, told from spans and sizes alone: no point is looked at. Beside the
 * points asked for, the rows hold at most those that overlap in steps with the two ends.
 */
export function sliceRows<Row extends RowSpan>(rows: readonly Row[], offset: number, limit: number): RowSlice<Row> {
  const starts = rows.map((row) => ({ attempt: row.attempt, step: row.loStep, size: row.size })).sort(byPlace);
  const ends = rows.map((row) => ({ attempt: row.attempt, step: row.hiStep, size: row.size })).sort(byPlace);
  // Before a place lie at most the points of the rows that begin before it, and at least those of the rows that end before it.
  let from: Place | undefined;
  let begun = 0;
  let at: Place | undefined;
  for (const start of starts) {
    if (at === undefined || byPlace(at, start) !== 0) {
      at = start;
      if (begun <= offset) from = start;
    }
    begun += start.size;
  }
  const to = placeAfter(starts, ends, offset + limit);
  return {
    rows: rows.filter((row) => !isBefore(endOf(row), from) && (to === undefined || isBefore(startOf(row), to))),
    before: rows.reduce((sum, row) => (isBefore(endOf(row), from) ? sum + row.size : sum), 0),
  };
}

/** The first start of a row before which at least so many points lie; undefined where there is none. */
function placeAfter(starts: readonly Place[], ends: readonly (Place & { readonly size: number })[], points: number): Place | undefined {
  let ended = 0;
  let next = 0;
  for (const start of starts) {
    for (let end = ends[next]; end !== undefined && byPlace(end, start) < 0; end = ends[next]) {
      ended += end.size;
      next++;
    }
    if (ended >= points) return start;
  }
  return undefined;
}

function startOf({ attempt, loStep }: RowSpan): Place {
  return { attempt, step: loStep };
}

function endOf({ attempt, hiStep }: RowSpan): Place {
  return { attempt, step: hiStep };
}

function byPlace(a: Place, b: Place): number {
  return a.attempt - b.attempt || a.step - b.step;
}

function isBefore(place: Place, other: Place | undefined): boolean {
  return other !== undefined && byPlace(place, other) < 0;
}
