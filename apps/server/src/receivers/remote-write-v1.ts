import { namedLabels } from "./label-rules.ts";
import { readText } from "./label-text.ts";
import type { ReadLabels, SeriesText } from "./labelled-readings.ts";
import { RemoteWriteColumns, type RemoteWriteRequest } from "./remote-write-columns.ts";
import { WireFault, WireReader } from "./wire-reader.ts";

/** `WriteRequest`: only its series are read, metadata (3) is passed over. */
const REQUEST = { timeseries: 1, metadata: 3 } as const;
const SERIES = { labels: 1, samples: 2, exemplars: 3, histograms: 4 } as const;
const LABEL = { name: 1, value: 2 } as const;

/**
 * Reads `prometheus.WriteRequest` of remote-write 1.0. The raw bytes of a series' labels are its key: they are the same in every request
 * of a sender, and decoded only for a series that is new.
 * @throws WireFault where the bytes are none
 */
export function readRemoteWriteV1(bytes: Buffer): RemoteWriteRequest {
  const reader = new WireReader(bytes);
  const columns = new RemoteWriteColumns();
  const end = bytes.length;
  while (reader.next(end)) {
    if (reader.field === REQUEST.timeseries) readSeries(reader, reader.length(end), columns);
    else {
      if (reader.field === REQUEST.metadata) columns.metadata++;
      reader.skip(end);
    }
  }
  return columns;
}

function readSeries(reader: WireReader, end: number, columns: RemoteWriteColumns): void {
  const blocks: number[] = [];
  const series = columns.next;
  let fieldAt = reader.at;
  while (reader.next(end)) {
    if (reader.field === SERIES.samples) columns.readSample(reader, reader.length(end), series);
    else {
      if (reader.field === SERIES.exemplars) columns.exemplars++;
      else if (reader.field === SERIES.histograms) columns.histograms++;
      reader.skip(end);
      if (reader.field === SERIES.labels) {
        if (blocks.at(-1) === fieldAt) blocks[blocks.length - 1] = reader.at;
        else blocks.push(fieldAt, reader.at);
      }
    }
    fieldAt = reader.at;
  }
  if (columns.isNextWanted) columns.series.push(seriesText(reader.bytes, blocks));
}

/** The labels of all senders stand in one piece; those of a sender that scatters them are put together. */
function seriesText(bytes: Buffer, blocks: readonly number[]): SeriesText {
  if (blocks.length === 2) return new SeriesOfV1(bytes, blocks[0] ?? 0, blocks[1] ?? 0);
  const pieces = blocks.flatMap((from, index) => (index % 2 === 0 ? [bytes.subarray(from, blocks[index + 1])] : []));
  const joined = Buffer.concat(pieces);
  return new SeriesOfV1(joined, 0, joined.length);
}

/** A class, for there is one a sample: functions made for each would cost as much as the rest of the walk. Its key is made when asked for. */
class SeriesOfV1 implements SeriesText {
  readonly #bytes: Buffer;
  readonly #from: number;
  readonly #to: number;

  constructor(bytes: Buffer, from: number, to: number) {
    this.#bytes = bytes;
    this.#from = from;
    this.#to = to;
  }

  get key(): string {
    return this.#bytes.toString("latin1", this.#from, this.#to);
  }

  labels(): ReadLabels {
    return readLabels(this.#bytes.subarray(this.#from, this.#to));
  }

  isWritten(bytes: Buffer): boolean {
    return bytes.length === this.#to - this.#from && this.#bytes.compare(bytes, 0, bytes.length, this.#from, this.#to) === 0;
  }

  written(): Buffer {
    return Buffer.from(this.#bytes.subarray(this.#from, this.#to));
  }
}

/** The walk has passed over the labels by their lengths only, so damage inside shows here, and costs this series alone. */
function readLabels(bytes: Buffer): ReadLabels {
  const reader = new WireReader(bytes);
  const pairs: (readonly [string, string])[] = [];
  try {
    while (reader.next(bytes.length)) pairs.push(readLabel(reader, reader.length(bytes.length)));
  } catch (error) {
    if (error instanceof WireFault) return { code: "bad-labels", message: `The labels of a series are damaged: ${error.message}.` };
    throw error;
  }
  return namedLabels(pairs);
}

function readLabel(reader: WireReader, end: number): readonly [string, string] {
  let name = "";
  let value = "";
  while (reader.next(end)) {
    if (reader.field === LABEL.name) name = readText(reader, end);
    else if (reader.field === LABEL.value) value = readText(reader, end);
    else reader.skip(end);
  }
  return [name, value];
}
