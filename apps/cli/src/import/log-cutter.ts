import { createHash } from "node:crypto";
import type { LogRecord, RunMetadata } from "@trainwatch/core";
import { SeriesBook } from "../inputs/series-book.ts";
import type { SourceSeries } from "../inputs/series-book.ts";
import { type BlockItem, type LogBlock, cutText } from "./log-block.ts";

/** A block stays far below the server's 64 MiB body and 1,024 series, and its records below what `ingest.known` takes, whatever the log holds. */
const MAX_VALUES = 20_000;
const MAX_RECORDS = 4_000;
const MAX_SERIES = 1_000;
const MAX_SIDE_RECORDS = 1_000;
const DIGEST_CHARS = 32;
const MAX_TEXT = 2_000;

/** What a parser says when a log's times name no zone, and how a push says it. */
const ZONE_ASSUMED = "timeZoneAssumed";
const ZONE_ASSUMED_EVENT = "zone-assumed";
const METADATA_KEYS = ["gpus", "tokensPerStep", "targetSteps", "checkpointEvery"] as const;

/**
 * Cuts the records of a log into blocks of bounded size. Where a block ends depends on nothing but what stands before it, so a log that
 * has grown is cut as before and goes on. Within a block each series rises in step: a launch, or a step that falls back, begins another.
 */
export class LogCutter {
  private readonly book = new SeriesBook();
  private readonly run: LogBlock["run"];
  private readonly metadata: Partial<RunMetadata> = {};
  private said = "{}";
  private items: BlockItem[] = [];
  private lastSteps = new Map<SourceSeries, number | null>();
  private counts = { values: 0, records: 0, side: 0 };
  private digest: string;
  private firstTimeMs: number | null = null;
  /** Values that have no step and no time, and therefore no place on the server's axes. */
  unplaced = 0;

  constructor(run: LogBlock["run"]) {
    this.run = run;
    this.digest = `${run.project}/${run.name}`;
  }

  /** Takes one record; answers the blocks that are full by it, in order. */
  take(record: LogRecord): readonly LogBlock[] {
    switch (record.kind) {
      case "points":
        return this.points(record);
      case "start":
        return this.side(
          { kind: "event", event: { kind: "start", step: null, timeMs: record.timeMs, text: cutText(record.reason, MAX_TEXT) } },
          true,
        );
      case "checkpoint":
        return this.side(
          { kind: "checkpoint", checkpoint: { step: record.step, path: record.path, state: record.state, savedAtMs: record.timeMs } },
          false,
        );
      case "note":
        return this.side(
          {
            kind: "event",
            event: { kind: cutText(record.code, 64), step: record.step, timeMs: record.timeMs, text: cutText(record.text, MAX_TEXT) },
          },
          false,
        );
      case "meta":
        return this.fact(record.key, record.value);
    }
  }

  /** What is left; null where nothing is. */
  rest(): LogBlock | null {
    const block = this.cut();
    return block.items.length === 0 && block.metadata === null ? null : block;
  }

  /** Values of series beyond the number that a run may have. */
  get omitted(): number {
    return this.book.omitted;
  }

  private points({ step, timeMs, labels, line, values }: Extract<LogRecord, { readonly kind: "points" }>): readonly LogBlock[] {
    if (step === null && timeMs === null) {
      this.unplaced += values.length;
      return [];
    }
    const named = values.flatMap(([sourceName, value]): (readonly [SourceSeries, number])[] => {
      const series = this.book.seriesOf(sourceName, labels, line);
      return series === null ? [] : [[series, value]];
    });
    const full = this.mustCutBefore(named, step) ? [this.cut()] : [];
    this.firstTimeMs ??= timeMs;
    this.digest = this.digestWith(step, timeMs, named);
    this.items.push({ kind: "points", step, timeMs, values: named, digest: this.digest });
    for (const [series] of named) this.lastSteps.set(series, step);
    this.counts.values += named.length;
    this.counts.records++;
    return full;
  }

  private mustCutBefore(values: readonly (readonly [SourceSeries, number])[], step: number | null): boolean {
    if (this.counts.records === 0) return false;
    if (this.counts.values + values.length > MAX_VALUES || this.counts.records >= MAX_RECORDS) return true;
    const fresh = values.filter(([series]) => !this.lastSteps.has(series));
    if (this.lastSteps.size + fresh.length > MAX_SERIES) return true;
    return values.some(([series]) => {
      const last = this.lastSteps.get(series);
      // A column either has steps or has none.
      return last !== undefined && ((last === null) !== (step === null) || (last !== null && step !== null && step < last));
    });
  }

  /** Times count from the first one: read with another time zone the log is still the same log. */
  private digestWith(step: number | null, timeMs: number | null, values: readonly (readonly [SourceSeries, number])[]): string {
    const time = timeMs === null || this.firstTimeMs === null ? "" : timeMs - this.firstTimeMs;
    const text = values.map(([series, value]) => `${series.key}=${value}`).join("\u0000");
    return createHash("sha256")
      .update(`${this.digest}\n${step ?? ""} ${time}\n${text}`)
      .digest("hex")
      .slice(0, DIGEST_CHARS);
  }

  private fact(key: string, value: string | number): readonly LogBlock[] {
    if (key === ZONE_ASSUMED) {
      return this.side(
        {
          kind: "event",
          event: { kind: ZONE_ASSUMED_EVENT, step: null, timeMs: null, text: `The log names no time zone; ${value} was assumed.` },
        },
        false,
      );
    }
    const known = METADATA_KEYS.find((name) => name === key);
    if (known !== undefined && typeof value === "number" && Number.isSafeInteger(value) && value > 0) this.metadata[known] = value;
    return [];
  }

  /** A launch stands before what follows it, so what came before goes out first. */
  private side(item: BlockItem, isLaunch: boolean): readonly LogBlock[] {
    const full = this.counts.side >= MAX_SIDE_RECORDS || (isLaunch && this.counts.records > 0) ? [this.cut()] : [];
    this.items.push(item);
    this.counts.side++;
    return full;
  }

  private cut(): LogBlock {
    const facts = JSON.stringify(this.metadata);
    // Facts go along when they are first known and when they change.
    const metadata = facts === this.said ? null : { ...this.metadata };
    this.said = facts;
    const block: LogBlock = { run: this.run, items: this.items, metadata, values: this.counts.values };
    this.items = [];
    this.lastSteps = new Map();
    this.counts = { values: 0, records: 0, side: 0 };
    return block;
  }
}
