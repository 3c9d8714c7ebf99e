import { AppError } from "@trainwatch/core";
import type { LabelledReadings, SeriesText } from "./labelled-readings.ts";
import { ValueBytes } from "./value-bytes.ts";
import type { WireReader } from "./wire-reader.ts";

/** Both versions write a sample the same way. */
const SAMPLE = { value: 1, timestamp: 2 } as const;
/** Of a request. An empty sample has 2 bytes on the wire and some 100 in memory: a block of 3 MB could ask for more than there is. */
const MOST_SAMPLES = 1_000_000;

export interface RemoteWriteRequest extends LabelledReadings {
  /** Native histograms, exemplars and metadata of the request: counted, not kept. */
  readonly histograms: number;
  readonly exemplars: number;
  readonly metadata: number;
}

/** What a walk over a request fills. */
export class RemoteWriteColumns implements RemoteWriteRequest {
  readonly series: SeriesText[] = [];
  readonly seriesOf: number[] = [];
  readonly timesMs: number[] = [];
  histograms = 0;
  exemplars = 0;
  metadata = 0;
  readonly #values = new ValueBytes();

  /** Place of the series that is being walked over. */
  get next(): number {
    return this.series.length;
  }

  /** A series none of whose samples have come says nothing, and is not kept. */
  get isNextWanted(): boolean {
    return this.seriesOf.at(-1) === this.series.length;
  }

  get values(): Uint8Array {
    return this.#values.bytes;
  }

  /** @throws AppError `too-large` for more samples than a request may have */
  readSample(reader: WireReader, end: number, series: number): void {
    if (this.seriesOf.length >= MOST_SAMPLES)
      throw new AppError("too-large", `The request has more than ${MOST_SAMPLES} samples. Send fewer a request.`, {
        details: { limitSamples: MOST_SAMPLES },
      });
    let valueAt = -1;
    let timeMs = 0;
    while (reader.next(end)) {
      if (reader.field === SAMPLE.value) valueAt = reader.eight(end);
      else if (reader.field === SAMPLE.timestamp) timeMs = reader.int64();
      else reader.skip(end);
    }
    this.seriesOf.push(series);
    this.timesMs.push(timeMs);
    // Protobuf leaves out what is zero.
    if (valueAt < 0) this.#values.number(0);
    else this.#values.bits(reader.view, valueAt);
  }
}
