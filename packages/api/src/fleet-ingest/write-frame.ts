import { decodeFrame, type FrameAnswer, type FrameDictionary, type FrameParts, type FrameRow } from "@trainwatch/core";
import { type CutRow, cutFrameRow, isPresent } from "./frame-rows.ts";
import type { FleetIngestParts } from "./fleet-ingest-parts.ts";
import { contentOf, type KnownDictionary, knownDictionary, seriesOf } from "./known-dictionary.ts";
import type { AskedSeries, KnownSeries } from "./series-book.ts";
import { createRefusals, type FrameRefusal, type Refusals } from "./refusals.ts";
import type { Fault } from "./series-fault.ts";
import type { TimeBounds } from "./time-bounds.ts";

/** Series that are learnt in one transaction, if their dictionaries are no larger. */
const LEARNT_TOGETHER = 2_048;
const CONFLICT = { code: "conflict", message: "Another value is stored at this time; the first stays." } as const;

/**
 * Stores the readings of a frame. What it answers is on disk.
 * @throws AppError `bad-request` where the bytes are no frame, `unavailable` where the database is away or behind
 */
export async function writeFrame(parts: FleetIngestParts, bytes: Uint8Array): Promise<FrameAnswer> {
  const held: (KnownDictionary | null)[] = [];
  const frame = decodeFrame(bytes, (dictionary, source) => {
    const known = currentDictionary(parts, source, dictionary);
    held.push(known);
    return dictionary.series?.length ?? known?.size ?? null;
  });
  if (frame.unknown.length > 0) return { accepted: 0, repeated: 0, refused: [], refusedTotal: 0, unknown: frame.unknown };
  const bounds = await parts.timeBounds();
  const dictionaries = await learnNew(parts, frame, held, bounds);
  const refusals = createRefusals<FrameRefusal>();
  const cut = frame.rows.flatMap((row, index) => cutTaken(row, index, dictionaries[row.dictionary], bounds, refusals));
  const stored = await parts.writer.write(cut.map(({ row }) => row));
  for (const { row, slot } of stored.conflicts) {
    const from = cut[row];
    const series = from?.series[from.row.slots.indexOf(slot)];
    if (from === undefined || series === undefined) throw new Error(`the store speaks of row ${row}, slot ${slot}, which was not sent`);
    refusals.add(1, () => [{ row: from.frameRow, series, ...CONFLICT }]);
  }
  const { accepted, repeated } = stored;
  parts.tally.add({ accepted, repeated, refused: refusals.total() });
  return { accepted, repeated, refused: refusals.listed(), refusedTotal: refusals.total(), unknown: [] };
}

/** What is known under the dictionary's digest, as long as all of it is true; null where its series must be told (again). */
function currentDictionary({ dictionaries }: FleetIngestParts, source: string, dictionary: FrameDictionary): KnownDictionary | null {
  const known = dictionaries.get(dictionaryKey(source, dictionary.digest));
  if (known === undefined || !known.isCurrent()) return null;
  return dictionary.series === undefined || contentOf(dictionary) === known.content ? known : null;
}

function dictionaryKey(source: string, digest: string): string {
  return `${source}\0${digest}`;
}

/** Dictionaries by their place in the header; those that are not known are learnt. */
async function learnNew(
  { book, dictionaries, now }: FleetIngestParts,
  { header, rows }: FrameParts,
  held: readonly (KnownDictionary | null)[],
  bounds: TimeBounds,
): Promise<readonly (KnownDictionary | null)[]> {
  const all = [...held];
  for (const [timeMs, places] of newByTime(held, rows, bounds, now())) {
    const told = places.flatMap((place) => {
      const dictionary = header.dictionaries[place];
      return dictionary === undefined ? [] : [{ place, dictionary, series: seriesOf(dictionary) }];
    });
    const answers: (KnownSeries | Fault)[] = [];
    // Whole dictionaries only: series of a metric that are told together come to lie beside each other.
    for (const part of inParts(told)) answers.push(...(await book.learn(header.source, part, timeMs)));
    for (const { place, dictionary, series } of told) {
      const learnt = knownDictionary(book, answers.splice(0, series.length), contentOf(dictionary));
      all[place] = learnt;
      dictionaries.set(dictionaryKey(header.source, dictionary.digest), learnt, Math.max(1, learnt.size));
    }
  }
  return all;
}

/** Series of dictionaries one after another, in parts of some thousand: what a part leaves behind is gone before the next one comes. */
function* inParts(told: readonly { readonly series: readonly AskedSeries[] }[]): Generator<readonly AskedSeries[]> {
  let part: AskedSeries[] = [];
  for (const { series } of told) {
    if (part.length > 0 && part.length + series.length > LEARNT_TOGETHER) {
      yield part;
      part = [];
    }
    part.push(...series);
  }
  if (part.length > 0) yield part;
}

/** Places of unknown dictionaries by the time of their first reading that is taken: from then on their labels are true. */
function newByTime(
  held: readonly (KnownDictionary | null)[],
  rows: readonly FrameRow[],
  bounds: TimeBounds,
  nowMs: number,
): ReadonlyMap<number, readonly number[]> {
  const firstMs = new Map<number, number>();
  for (const { dictionary, timeMs } of rows) {
    if (held[dictionary] !== null || bounds.faultOf(timeMs) !== null) continue;
    firstMs.set(dictionary, Math.min(timeMs, firstMs.get(dictionary) ?? Number.POSITIVE_INFINITY));
  }
  const byTime = new Map<number, number[]>();
  held.forEach((known, place) => {
    if (known !== null) return;
    const timeMs = firstMs.get(place) ?? nowMs;
    const places = byTime.get(timeMs) ?? [];
    places.push(place);
    byTime.set(timeMs, places);
  });
  return byTime;
}

function cutTaken(
  row: FrameRow,
  index: number,
  dictionary: KnownDictionary | null | undefined,
  bounds: TimeBounds,
  refusals: Refusals<FrameRefusal>,
): readonly CutRow[] {
  if (dictionary === undefined || dictionary === null) throw new Error(`row ${index} has no dictionary`);
  const late = bounds.faultOf(row.timeMs);
  if (late !== null) {
    refusals.add(row.values.length / 8, () => presentSeries(row, dictionary.size).map((series) => ({ row: index, series, ...late })));
    return [];
  }
  for (const [series, fault] of dictionary.faults)
    if (isPresent(row.presence, series)) refusals.add(1, () => [refusal(index, series, fault)]);
  return cutFrameRow(row, dictionary, index);
}

function refusal(row: number, series: number, { code, message }: Fault): FrameRefusal {
  return { row, series, code, message };
}

function presentSeries({ presence }: FrameRow, size: number): readonly number[] {
  return Array.from({ length: size }, (_, series) => series).filter((series) => isPresent(presence, series));
}
