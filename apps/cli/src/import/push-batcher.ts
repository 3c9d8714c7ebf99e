import { encodeColumn } from "@trainwatch/core";
import type { LogRecord, PushInput, RunMetadata } from "@trainwatch/core";
import { SeriesBook } from "../inputs/series-book.ts";
import type { SourceSeries } from "../inputs/series-book.ts";

/** What one push carries, without the source and number it is sent under. */
export type PushBody = Omit<PushInput, "source" | "seq">;

/** A push stays far below the server's 64 MiB body and 1,024 series whatever the log holds. */
const MAX_VALUES = 20_000;
const MAX_SERIES = 1_000;
const MAX_SIDE_RECORDS = 1_000;

interface Column {
  readonly step: number[];
  readonly time: (number | null)[];
  readonly value: number[];
}

/** What a parser says when a log's times name no zone, and how a push says it. */
const ZONE_ASSUMED = "timeZoneAssumed";
const ZONE_ASSUMED_EVENT = "zone-assumed";
const METADATA_KEYS = ["gpus", "tokensPerStep", "targetSteps", "checkpointEvery"] as const;

/**
 * Cuts the records of a log into pushes of bounded size. The same log is always cut the same way, so that a repeated import repeats the
 * same pushes. Within a push each series rises in step: a launch, or a step that falls back, begins a new one.
 */
export class PushBatcher {
  private readonly book = new SeriesBook();
  private readonly run: PushBody["run"];
  private columns = new Map<SourceSeries, Column>();
  private checkpoints: NonNullable<PushBody["checkpoints"]> = [];
  private events: NonNullable<PushBody["events"]> = [];
  private values = 0;
  private readonly metadata: Partial<RunMetadata> = {};
  private said = "{}";
  /** Values that have no step and therefore no place on the server's axes. */
  unplaced = 0;

  constructor(run: PushBody["run"]) {
    this.run = run;
  }

  /** Takes one record; answers the pushes that are full by it, in order. */
  take(record: LogRecord): readonly PushBody[] {
    switch (record.kind) {
      case "points":
        return this.points(record);
      case "start":
        return this.side(
          () => this.events.push({ kind: "start", step: null, timeMs: record.timeMs, text: record.reason.slice(0, 2_000) }),
          true,
        );
      case "checkpoint":
        return this.side(
          () => this.checkpoints.push({ step: record.step, path: record.path, state: record.state, savedAtMs: record.timeMs }),
          false,
        );
      case "note":
        return this.side(
          () =>
            this.events.push({
              kind: record.code.slice(0, 64),
              step: record.step,
              timeMs: record.timeMs,
              text: record.text.slice(0, 2_000),
            }),
          false,
        );
      case "meta":
        return this.fact(record);
    }
  }

  /** What is left; null where nothing is. */
  rest(): PushBody | null {
    const isEmpty = this.values === 0 && this.checkpoints.length === 0 && this.events.length === 0 && !this.hasNews();
    return isEmpty ? null : this.cut();
  }

  get omitted(): number {
    return this.book.omitted;
  }

  private fact({ key, value }: Extract<LogRecord, { readonly kind: "meta" }>): readonly PushBody[] {
    if (key === ZONE_ASSUMED) {
      const text = `The log names no time zone; ${value} was assumed.`;
      return this.side(() => this.events.push({ kind: ZONE_ASSUMED_EVENT, step: null, timeMs: null, text }), false);
    }
    const known = METADATA_KEYS.find((name) => name === key);
    if (known !== undefined && typeof value === "number" && Number.isSafeInteger(value) && value > 0) this.metadata[known] = value;
    return [];
  }

  private points(record: Extract<LogRecord, { readonly kind: "points" }>): readonly PushBody[] {
    const { step, timeMs, labels, line, values } = record;
    if (step === null && timeMs === null) {
      this.unplaced += values.length;
      return [];
    }
    const full: PushBody[] = [];
    for (const [sourceName, value] of values) {
      const series = this.book.seriesOf(sourceName, labels, line);
      if (series === null) continue;
      if (this.mustCutBefore(series, step)) full.push(this.cut());
      const column = this.columnOf(series);
      if (step !== null) column.step.push(step);
      column.time.push(timeMs);
      column.value.push(value);
      this.values++;
    }
    return full;
  }

  private mustCutBefore(series: SourceSeries, step: number | null): boolean {
    const column = this.columns.get(series);
    if (this.values >= MAX_VALUES || (column === undefined && this.columns.size >= MAX_SERIES)) return true;
    if (column === undefined) return false;
    const last = column.step.at(-1);
    // A column either has steps or has none.
    if ((step === null) !== (last === undefined)) return true;
    return step !== null && last !== undefined && step < last;
  }

  private columnOf(series: SourceSeries): Column {
    const held = this.columns.get(series);
    if (held !== undefined) return held;
    const fresh: Column = { step: [], time: [], value: [] };
    this.columns.set(series, fresh);
    return fresh;
  }

  /** A launch stands before what follows it, so what came before goes out first. */
  private side(add: () => void, isLaunch: boolean): readonly PushBody[] {
    const isFull = this.checkpoints.length >= MAX_SIDE_RECORDS || this.events.length >= MAX_SIDE_RECORDS;
    const full = isFull || (isLaunch && this.values > 0) ? [this.cut()] : [];
    add();
    return full;
  }

  private cut(): PushBody {
    const series = [...this.columns.keys()];
    const body: PushBody = {
      run: this.run,
      ...this.metadataOnce(),
      series: series.map(({ name, labels }) => ({ metric: name.slice(0, 256), labels })),
      columns: series.map((one, index) => columnOf(index, this.columns.get(one) ?? { step: [], time: [], value: [] })),
      checkpoints: this.checkpoints,
      events: this.events,
    };
    this.columns = new Map();
    this.checkpoints = [];
    this.events = [];
    this.values = 0;
    return body;
  }

  /** Facts go along when they are first known and when they change. */
  private metadataOnce(): Pick<PushBody, "metadata"> {
    if (!this.hasNews()) return {};
    this.said = JSON.stringify(this.metadata);
    return { metadata: { ...this.metadata } };
  }

  private hasNews(): boolean {
    return JSON.stringify(this.metadata) !== this.said;
  }
}

function columnOf(series: number, { step, time, value }: Column): NonNullable<PushBody["columns"]>[number] {
  const encoded = encodeColumn(value);
  return {
    series,
    ...(step.length > 0 ? { step } : {}),
    ...(time.some((at) => at !== null) ? { time } : {}),
    value: [...encoded.value],
    nonFinite: encoded.nonFinite.map(([index, word]) => [index, word]),
  };
}
