import type pg from "pg";
import { literal } from "../pool/index.ts";
import { type StoredBlock, readBlocks } from "./block.ts";
import { type Dictionary, readDictionary } from "./dictionary.ts";
import { decodePoints } from "./points.ts";

/** How far a reader has come: all pushes up to `arrival`, and `offset` points of the one after it. */
export interface ArrivalCursor {
  readonly arrival: number;
  readonly offset: number;
}

export interface ArrivedSample {
  /** Name of the attempt. */
  readonly attempt: string;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly step: number;
  readonly timeMs: number | null;
  readonly value: number;
}

export interface Arrivals {
  readonly samples: readonly ArrivedSample[];
  /** Pass back as `after`. Equal to it where nothing new had come. */
  readonly next: ArrivalCursor;
  /** Whether more is there already. */
  readonly more: boolean;
}

export interface ArrivalQuestion {
  readonly runId: number;
  readonly after: ArrivalCursor;
  readonly metrics: readonly string[];
  /** Points at most. */
  readonly limit: number;
}

const MAX_SERIES = 4096;
/** Rows one call looks at; a single push of more is still read as one. */
const ROWS_AT_ONCE = 512;

/**
 * Points of some metrics in the order in which pushes brought them, and within one push by attempt, step and series. The order does not
 * depend on how much is read at once, nor on what the maintenance has packed meanwhile. Far points are left out. Null for an unknown run.
 * Expects a read transaction.
 */
export async function readSince(client: pg.ClientBase, { runId, after, limit, metrics }: ArrivalQuestion): Promise<Arrivals | null> {
  const dictionary = await readDictionary(client, runId, metrics, MAX_SERIES);
  if (dictionary === null) return null;
  const { blocks, through } = await rowsAfter(client, runId, dictionary, after.arrival);
  const wanted = after.offset + limit;
  const chosen = chooseArrivals(blocks, { after: after.arrival, through, wanted });
  const points = collect(blocks, dictionary, after.arrival, chosen.through);
  const end = Math.min(points.length, wanted);
  const samples = points.slice(after.offset, end).map(({ sample }) => sample);
  const last = points[end - 1];
  if (last === undefined || end === points.length)
    return { samples, next: { arrival: chosen.through, offset: 0 }, more: chosen.through < dictionary.arrivals };
  // The push is cut: it counts as read only when all of it is.
  const given = points.slice(0, end).filter((point) => point.arrival === last.arrival).length;
  return { samples, next: { arrival: last.arrival - 1, offset: given }, more: true };
}

/**
 * Rows that hold all points of the pushes after `after` up to `through`, and perhaps some later ones: a bounded number of rows, but never
 * a part of a push. Index: (group_id, hi_arrival, lo_arrival) where level = 0.
 */
async function rowsAfter(
  client: pg.ClientBase,
  groupId: number,
  { series, arrivals }: Dictionary,
  after: number,
): Promise<{ blocks: readonly StoredBlock[]; through: number }> {
  const seriesIds = series.map((each) => each.id);
  const { rows } = await client.query<{ arrival: number }>(
    "SELECT hi_arrival AS arrival FROM samples.block WHERE group_id = $1 AND level = 0 AND hi_arrival > $2 AND series_id = ANY($3) AND NOT far ORDER BY hi_arrival LIMIT $4",
    [groupId, after, seriesIds, ROWS_AT_ONCE],
  );
  const first = rows[0]?.arrival ?? arrivals;
  const last = rows.at(-1)?.arrival ?? arrivals;
  // The last push of a full answer may have more rows than were seen; where it is the only one, all of it is read.
  const through = rows.length < ROWS_AT_ONCE ? arrivals : first < last ? last - 1 : last;
  const blocks = await readBlocks(
    client,
    groupId,
    `level = 0 AND hi_arrival > ${literal.float8(after)} AND lo_arrival <= ${literal.float8(through)} AND series_id = ANY(${literal.ints(seriesIds)}) AND NOT far`,
  );
  return { blocks, through };
}

/** The least whole number of pushes that gives the points wanted. */
function chooseArrivals(
  blocks: readonly StoredBlock[],
  { after, through, wanted }: { after: number; through: number; wanted: number },
): { through: number } {
  const counts = new Map<number, number>();
  for (const block of blocks) {
    for (const arrival of decodePoints(block.data).arrival)
      if (arrival > after && arrival <= through) counts.set(arrival, (counts.get(arrival) ?? 0) + 1);
  }
  let sum = 0;
  for (const arrival of [...counts.keys()].sort((a, b) => a - b)) {
    sum += counts.get(arrival) ?? 0;
    if (sum >= wanted) return { through: arrival };
  }
  return { through };
}

interface Placed {
  readonly arrival: number;
  readonly attempt: number;
  readonly seriesId: number;
  readonly sample: ArrivedSample;
}

function collect(blocks: readonly StoredBlock[], { attempts, series }: Dictionary, after: number, through: number): readonly Placed[] {
  const placed: Placed[] = [];
  for (const block of blocks) {
    const attempt = attempts.findIndex((each) => each.id === block.attemptId);
    const name = attempts[attempt]?.name;
    const known = series.find((each) => each.id === block.seriesId);
    if (name === undefined || known === undefined) continue;
    const { metric, labels } = known;
    const points = decodePoints(block.data);
    for (let index = 0; index < points.count; index++) {
      const arrival = points.arrival[index] ?? 0;
      if (arrival <= after || arrival > through) continue;
      const timeMs = points.timeMs[index] ?? Number.NaN;
      const sample = {
        attempt: name,
        metric,
        labels,
        step: points.step[index] ?? 0,
        timeMs: Number.isNaN(timeMs) ? null : timeMs,
        value: points.value[index] ?? Number.NaN,
      };
      placed.push({ arrival, attempt, seriesId: block.seriesId, sample });
    }
  }
  // Points of one series, push and step stay in the order in which they lie, which is that of the push.
  return placed.sort((a, b) => a.arrival - b.arrival || a.attempt - b.attempt || a.sample.step - b.sample.step || a.seriesId - b.seriesId);
}
