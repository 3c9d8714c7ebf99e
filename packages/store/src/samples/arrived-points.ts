import type { StoredBlock } from "./block.ts";
import type { Names } from "./dictionary.ts";
import { type Points, decodePoints } from "./points.ts";

export interface ArrivedSample {
  /** Name of the attempt. */
  readonly attempt: string;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly step: number;
  readonly timeMs: number | null;
  readonly value: number;
}

/** A row with its points at hand. */
export interface OpenedRow {
  readonly block: StoredBlock;
  readonly points: Points;
}

export interface PlacedSample {
  readonly arrival: number;
  readonly sample: ArrivedSample;
}

export function openRow(block: StoredBlock): OpenedRow {
  return { block, points: decodePoints(block.data) };
}

/** Points of the pushes after `after` up to `through`, in the order of push, attempt, step and series. */
export function placeSamples(
  rows: readonly OpenedRow[],
  { attempts, series }: Pick<Names, "attempts" | "series">,
  after: number,
  through: number,
): readonly PlacedSample[] {
  const attemptOf = new Map(attempts.map(({ id, name }, order) => [id, { name, order }]));
  const seriesOf = new Map(series.map((each) => [each.id, each]));
  const placed: (PlacedSample & { readonly order: number; readonly seriesId: number })[] = [];
  // Points of one series, push and step keep the order in which they lie, which is that of the push.
  for (const { block, points } of rows.toSorted((a, b) => a.block.rowNo - b.block.rowNo)) {
    const attempt = attemptOf.get(block.attemptId);
    const known = seriesOf.get(block.seriesId);
    if (attempt === undefined || known === undefined) continue;
    for (let index = 0; index < points.count; index++) {
      const arrival = points.arrival[index] ?? 0;
      if (arrival <= after || arrival > through) continue;
      const timeMs = points.timeMs[index] ?? Number.NaN;
      const sample = {
        attempt: attempt.name,
        metric: known.metric,
        labels: known.labels,
        step: points.step[index] ?? 0,
        timeMs: Number.isNaN(timeMs) ? null : timeMs,
        value: points.value[index] ?? Number.NaN,
      };
      placed.push({ arrival, order: attempt.order, seriesId: block.seriesId, sample });
    }
  }
  return placed.sort((a, b) => a.arrival - b.arrival || a.order - b.order || a.sample.step - b.sample.step || a.seriesId - b.seriesId);
}

/** How many points of each push, after one and up to another, the rows hold. */
export function countArrivals(rows: readonly OpenedRow[], after: number, through: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { points } of rows)
    for (const arrival of points.arrival) if (arrival > after && arrival <= through) counts.set(arrival, (counts.get(arrival) ?? 0) + 1);
  return counts;
}
