import type { Lineage, LineageCorrection, LineagePoint, PlacedPoint } from "./contract.ts";

export interface PlacedBatch<P extends LineagePoint> {
  readonly placed: readonly PlacedPoint<P>[];
  /** To be applied, in order, to what earlier batches placed; this batch's own points are right already. */
  readonly corrections: readonly LineageCorrection[];
}

/** Places a whole push or file and settles it: nothing of it stays held. */
export function placeBatch<P extends LineagePoint>(lineage: Lineage<P>, points: Iterable<P>): PlacedBatch<P> {
  const collected = correctable<P>();
  const corrections: LineageCorrection[] = [...lineage.takeCorrections()];
  for (const point of points) {
    const now = lineage.place(point);
    for (const correction of lineage.takeCorrections()) {
      corrections.push(correction);
      collected.correct(correction);
    }
    for (const item of now) collected.add(item);
  }
  for (const item of lineage.settle()) collected.add(item);
  return { placed: collected.placed, corrections };
}

/**
 * Placed points that corrections can move. The index by place is made with the first correction only: most pushes see none, and with it
 * each correction costs what it moves.
 */
function correctable<P extends LineagePoint>(): {
  readonly placed: PlacedPoint<P>[];
  add(item: PlacedPoint<P>): void;
  correct(correction: LineageCorrection): void;
} {
  const placed: PlacedPoint<P>[] = [];
  let byPlace: Map<string, number[]> | null = null;

  const enter = (index: Map<string, number[]>, key: string, position: number): void => {
    const known = index.get(key);
    if (known === undefined) index.set(key, [position]);
    else known.push(position);
  };
  const indexed = (): Map<string, number[]> => {
    if (byPlace !== null) return byPlace;
    byPlace = new Map();
    for (const [position, { point, placement }] of placed.entries())
      enter(byPlace, placeKey(point.series, placement.attempt, placement.writer), position);
    return byPlace;
  };

  return {
    placed,
    add(item) {
      if (byPlace !== null) enter(byPlace, placeKey(item.point.series, item.placement.attempt, item.placement.writer), placed.length);
      placed.push(item);
    },
    correct({ series, attempt, writer, becomes, reflag }) {
      const index = indexed();
      const from = placeKey(series, attempt, writer);
      const to = placeKey(series, becomes.attempt, becomes.writer);
      const there = index.get(from) ?? [];
      index.delete(from);
      for (const position of there) {
        const item = placed[position];
        if (item === undefined) continue;
        const isMeant = reflag === undefined || isReflagged(item, reflag);
        const flag = reflag === undefined ? item.placement.flag : reflag.flag;
        if (isMeant) placed[position] = { point: item.point, placement: { ...becomes, flag } };
        enter(index, isMeant ? to : from, position);
      }
    },
  };
}

/** Whether a correction that sets a flag means this point. */
export function isReflagged({ point, placement }: PlacedPoint, reflag: NonNullable<LineageCorrection["reflag"]>): boolean {
  return placement.flag !== reflag.flag && point.step >= reflag.fromStep && point.step <= reflag.toStep;
}

function placeKey(series: string, attempt: string, writer: string | null): string {
  return JSON.stringify([series, attempt, writer]);
}
