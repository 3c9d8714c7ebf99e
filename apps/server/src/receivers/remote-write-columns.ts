import type { LabelledReadings, SeriesText } from "./labelled-readings.ts";
import { ValueBytes } from "./value-bytes.ts";
import type { WireReader } from "./wire-reader.ts";

/** Both versions write a sample the same way. */
const SAMPLE = { value: 1, timestamp: 2 } as const;

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

  get values(): Uint8Array {
    return this.#values.bytes;
  }

  readSample(reader: WireReader, end: number, series: number): void {
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
