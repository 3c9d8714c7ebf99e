import type { LogRecord, PointsRecord } from "@trainwatch/core";

/**
 * Drops points that an earlier input of the same run has given with the same step and value. A Hugging Face `trainer_state.json`
 * holds the whole history up to its checkpoint, so each later one repeats the earlier. Holds every point: for such files only,
 * which are held in memory by their parser as well.
 */
export class RepeatFilter {
  private readonly seen = new Map<string, Map<number, number>>();
  repeated = 0;

  /** The record without what was there before; null where nothing is left. Only points are filtered. */
  pass(record: LogRecord): LogRecord | null {
    if (record.kind !== "points" || record.step === null) return record;
    const values = record.values.filter(([name, value]) => this.isNew(record, name, value));
    this.repeated += record.values.length - values.length;
    return values.length === 0 ? null : { ...record, values };
  }

  private isNew(record: PointsRecord, name: string, value: number): boolean {
    const key = `${name}\u0000${JSON.stringify(record.labels)}`;
    const series = this.seen.get(key) ?? new Map<number, number>();
    this.seen.set(key, series);
    const step = record.step ?? 0;
    if (series.has(step) && Object.is(series.get(step), value)) return false;
    series.set(step, value);
    return true;
  }
}
