import type { Lineage, LineageCorrection, LineagePoint, PlacedPoint } from "./contract.ts";

export interface PlacedBatch<P extends LineagePoint> {
  readonly placed: readonly PlacedPoint<P>[];
  /** To be applied, in order, to what earlier batches placed; this batch's own points are right already. */
  readonly corrections: readonly LineageCorrection[];
}

/** Places a whole push or file and settles it: nothing of it stays held. */
export function placeBatch<P extends LineagePoint>(lineage: Lineage<P>, points: Iterable<P>): PlacedBatch<P> {
  const placed: PlacedPoint<P>[] = [];
  const corrections: LineageCorrection[] = [...lineage.takeCorrections()];
  for (const point of points) {
    const now = lineage.place(point);
    for (const correction of lineage.takeCorrections()) {
      corrections.push(correction);
      correctPlaced(placed, correction);
    }
    for (const item of now) placed.push(item);
  }
  for (const item of lineage.settle()) placed.push(item);
  return { placed, corrections };
}

/** Moves what a correction concerns, in place. */
export function correctPlaced<P extends LineagePoint>(placed: PlacedPoint<P>[], correction: LineageCorrection): void {
  for (const [index, item] of placed.entries()) {
    const { attempt, writer, flag } = item.placement;
    if (item.point.series !== correction.series || attempt !== correction.attempt || writer !== correction.writer) continue;
    placed[index] = { point: item.point, placement: { ...correction.becomes, flag } };
  }
}
