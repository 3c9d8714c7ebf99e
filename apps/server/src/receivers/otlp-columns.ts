import { namedLabels } from "./label-rules.ts";
import type { LabelledReadings, SeriesText } from "./labelled-readings.ts";
import type { Attributes, OtlpValue } from "./otlp-model.ts";
import { ValueBytes } from "./value-bytes.ts";

/** Readings that a request is taken apart into, and which data point each came from: OTLP counts what it refuses by data point. */
export class OtlpColumns implements LabelledReadings {
  readonly series: SeriesText[] = [];
  readonly seriesOf: number[] = [];
  readonly timesMs: number[] = [];
  /** One a reading; −1 for a reading that no data point asked for (a counter's zero). */
  readonly pointOf: number[] = [];
  readonly #values = new ValueBytes();
  readonly #places = new Map<string, number>();

  get values(): Uint8Array {
    return this.#values.bytes;
  }

  add(point: number, name: string, labels: Attributes, timeMs: number, value: OtlpValue | "ended"): string {
    const key = JSON.stringify([name, labels]);
    let series = this.#places.get(key);
    if (series === undefined) {
      series = this.series.length;
      this.#places.set(key, series);
      this.series.push({ key, labels: () => namedLabels([["__name__", name], ...labels]) });
    }
    this.seriesOf.push(series);
    this.timesMs.push(timeMs);
    if (value === "ended") this.#values.staleMarker();
    else if (typeof value === "number") this.#values.number(value);
    else this.#values.bits(value, 0);
    this.pointOf.push(point);
    return key;
  }
}
