import { createHash } from "node:crypto";
import { FRAME_LIMITS, STALE_HIGH_BITS, STALE_LOW_BITS } from "@trainwatch/core";
import type { FrameDictionary, FrameRow, FrameSeries } from "@trainwatch/core";
import type { ReadingBatch } from "../source.ts";

export interface TakenSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Epoch ms where the source names a time; null: the time of the reading. */
  readonly timeMs: number | null;
}

const STALE = Symbol("stale");
type Value = number | typeof STALE;

const DIGEST_CHARS = 32;

/**
 * The series of one source, in the order in which they first came. Exporters give the same series each time, so a reading is a row of
 * values under the digest of their names. A series that is no longer there gets the stale marker once, as Prometheus does it: "gone" is
 * told apart from "late".
 */
export class SeriesTable {
  private readonly shared: Readonly<Record<string, string>>;
  private index = new Map<string, number>();
  private series: FrameSeries[] = [];
  private dictionary: FrameDictionary | null = null;
  private live = new Set<number>();
  /** Samples of the last reading that were left out: more series than a frame can name. */
  omitted = 0;

  /** @param shared labels of all series; a series' own label of such a name becomes `exported_<name>` */
  constructor(shared: Readonly<Record<string, string>>) {
    this.shared = shared;
  }

  /** @param timeMs of the reading, epoch ms */
  read(samples: readonly TakenSample[], timeMs: number): ReadingBatch {
    const rows = new Map<number, Map<number, Value>>();
    const now = new Map<number, Value>();
    rows.set(timeMs, now);
    const live = new Set<number>();
    this.omitted = 0;
    if (this.isMostlyGone(samples.length) || this.isTooSmall(samples)) this.reset();
    for (const sample of samples) {
      const place = this.placeOf(sample);
      if (place === null) continue;
      live.add(place);
      const at = sample.timeMs ?? timeMs;
      const row = rows.get(at) ?? new Map<number, Value>();
      rows.set(at, row);
      row.set(place, sample.value);
    }
    for (const place of this.live) if (!live.has(place)) now.set(place, STALE);
    this.live = live;
    return this.batch(rows);
  }

  /** Says of all series that they have ended: the source does not answer. Null where nothing was live. */
  end(timeMs: number): ReadingBatch | null {
    return this.live.size === 0 ? null : this.read([], timeMs);
  }

  private batch(values: ReadonlyMap<number, ReadonlyMap<number, Value>>): ReadingBatch {
    const { series, shared } = this;
    this.dictionary ??= { digest: digestOf(shared, series), shared, series: [...series] };
    const rows: FrameRow[] = [];
    let count = 0;
    for (const [timeMs, row] of [...values].toSorted(([a], [b]) => a - b)) {
      if (row.size === 0) continue;
      rows.push(rowOf(row, timeMs, series.length));
      count += row.size;
    }
    return { dictionary: this.dictionary, rows, count };
  }

  private placeOf({ name, labels }: TakenSample): number | null {
    const key = keyOf(name, labels);
    const known = this.index.get(key);
    if (known !== undefined) return known;
    if (this.series.length >= FRAME_LIMITS.seriesADictionary) {
      this.omitted++;
      return null;
    }
    const place = this.series.length;
    this.index.set(key, place);
    this.series.push([name, this.withoutShared(labels)]);
    this.dictionary = null;
    return place;
  }

  private withoutShared(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    if (!Object.keys(labels).some((label) => label in this.shared)) return labels;
    return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name in this.shared ? `exported_${name}` : name, value]));
  }

  /** Names that changed all over, such as pods that were moved: the old ones must not fill the table. Their stale markers come first. */
  private isMostlyGone(count: number): boolean {
    return count > 0 && this.series.length > 2 * count + 64 && this.live.size <= count;
  }

  /** What has gone takes the place of what comes. */
  private isTooSmall(samples: readonly TakenSample[]): boolean {
    const room = FRAME_LIMITS.seriesADictionary - this.series.length;
    if (samples.length <= room || this.live.size === this.series.length) return false;
    return samples.filter(({ name, labels }) => !this.index.has(keyOf(name, labels))).length > room;
  }

  private reset(): void {
    const kept = this.series.filter((_, place) => this.live.has(place));
    const keys = new Map([...this.index].map(([key, place]) => [place, key]));
    const live = [...this.live].toSorted((a, b) => a - b).flatMap((place) => keys.get(place) ?? []);
    this.series = kept;
    this.index = new Map(live.map((key, place) => [key, place]));
    this.live = new Set(live.keys());
    this.dictionary = null;
  }
}

function keyOf(name: string, labels: Readonly<Record<string, string>>): string {
  return `${name}\u0000${JSON.stringify(labels)}`;
}

function digestOf(shared: Readonly<Record<string, string>>, series: readonly FrameSeries[]): string {
  return createHash("sha256")
    .update(JSON.stringify([shared, series]))
    .digest("hex")
    .slice(0, DIGEST_CHARS);
}

function rowOf(row: ReadonlyMap<number, Value>, timeMs: number, size: number): FrameRow {
  const presence = row.size === size ? null : new Uint8Array(Math.ceil(size / 64) * 8);
  const places = [...row.keys()].toSorted((a, b) => a - b);
  const values = new Uint8Array(8 * places.length);
  const view = new DataView(values.buffer);
  for (const [index, place] of places.entries()) {
    if (presence !== null) presence[place >> 3] = (presence[place >> 3] ?? 0) | (1 << (place & 7));
    const value = row.get(place);
    if (typeof value === "number") view.setFloat64(8 * index, value, true);
    else {
      view.setUint32(8 * index, STALE_LOW_BITS, true);
      view.setUint32(8 * index + 4, STALE_HIGH_BITS, true);
    }
  }
  return { dictionary: 0, timeMs, presence, values };
}
