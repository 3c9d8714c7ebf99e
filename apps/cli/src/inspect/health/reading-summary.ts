import { fieldOf, isReading, metricName } from "@trainwatch/core";
import type { HealthReading } from "@trainwatch/formats";

/** All readings of one metric. */
export interface MetricReadings {
  /** As the catalogue calls it, or the source. */
  readonly name: string;
  /** Null where the catalogue does not know it. */
  readonly title: string | null;
  readonly unit: string;
  readings: number;
  series: number;
  /** Of those that are readings; null where none is. */
  min: number | null;
  max: number | null;
  /** Sentinels, values out of bounds and non-finite ones: counted, and in no range. */
  invalid: number;
}

/** Metrics kept at most; readings of further ones are counted only. */
const MAX_METRICS = 10_000;
const MAX_SERIES = 500_000;

/** Readings of one input by metric. */
export class ReadingSummary {
  private readonly metrics = new Map<string, MetricReadings>();
  private readonly seen = new Set<string>();
  total = 0;
  omitted = 0;

  add({ name, labels, value }: HealthReading): void {
    this.total += 1;
    const metric = this.metricOf(name);
    if (metric === null) {
      this.omitted += 1;
      return;
    }
    metric.readings += 1;
    const key = JSON.stringify([metric.name, labels]);
    if (!this.seen.has(key) && this.seen.size < MAX_SERIES) {
      this.seen.add(key);
      metric.series += 1;
    }
    const field = fieldOf(name);
    if (!Number.isFinite(value) || (field !== null && !isReading(field, value))) {
      metric.invalid += 1;
      return;
    }
    metric.min = Math.min(metric.min ?? value, value);
    metric.max = Math.max(metric.max ?? value, value);
  }

  rows(): readonly MetricReadings[] {
    return [...this.metrics.values()];
  }

  private metricOf(sourceName: string): MetricReadings | null {
    const name = metricName(sourceName);
    const known = this.metrics.get(name);
    if (known !== undefined) return known;
    if (this.metrics.size >= MAX_METRICS) return null;
    const field = fieldOf(sourceName);
    const fresh = { name, title: field?.title ?? null, unit: field?.unit ?? "", readings: 0, series: 0, min: null, max: null, invalid: 0 };
    this.metrics.set(name, fresh);
    return fresh;
  }
}
