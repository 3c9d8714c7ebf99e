import { encodeColumn } from "@trainwatch/core";
import type { PushInput, RunMetadata } from "@trainwatch/core";
import type { SourceSeries } from "../inputs/series-book.ts";

/** What one push carries, without the source and number it is sent under. */
export type PushBody = Omit<PushInput, "source" | "seq">;
type Checkpoint = NonNullable<PushBody["checkpoints"]>[number];
type Event = NonNullable<PushBody["events"]>[number];

/** One record of a log on its way. Points carry the identity of the log from its beginning up to and including them. */
export type BlockItem =
  | {
      readonly kind: "points";
      readonly step: number | null;
      readonly timeMs: number | null;
      readonly values: readonly (readonly [SourceSeries, number])[];
      readonly digest: string;
    }
  | { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly kind: "event"; readonly event: Event };

/** A stretch of a log that fits into one push. */
export interface LogBlock {
  readonly run: PushBody["run"];
  readonly items: readonly BlockItem[];
  /** Facts about the run that were new in this stretch; null where none were. */
  readonly metadata: Partial<RunMetadata> | null;
  readonly values: number;
}

/** Identities of the log up to each record with points, in order. */
export function blockDigests(block: LogBlock): readonly string[] {
  return block.items.flatMap((item) => (item.kind === "points" ? [item.digest] : []));
}

/** The block without what stands up to and including the points of that identity. */
export function blockAfter(block: LogBlock, digest: string): LogBlock {
  const at = block.items.findIndex((item) => item.kind === "points" && item.digest === digest);
  const items = block.items.slice(at + 1);
  return { ...block, items, values: valuesOf(items) };
}

/** The block without its first items. */
export function blockAfterItems(block: LogBlock, count: number): LogBlock {
  const items = block.items.slice(count);
  return { ...block, items, values: valuesOf(items) };
}

/** The block up to its last points, and what stands behind them with the facts of the block. */
export function splitAtLastPoints(block: LogBlock): { readonly points: LogBlock; readonly tail: LogBlock } {
  const end = block.items.findLastIndex((item) => item.kind === "points") + 1;
  return {
    points: { ...block, items: block.items.slice(0, end), metadata: null },
    tail: { ...block, items: block.items.slice(end), values: 0 },
  };
}

function valuesOf(items: readonly BlockItem[]): number {
  return items.reduce((sum, item) => sum + (item.kind === "points" ? item.values.length : 0), 0);
}

export function isEmptyBlock(block: LogBlock): boolean {
  return block.items.length === 0 && block.metadata === null;
}

/** At most so many characters of a text, and never half of one. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/\p{Surrogate}$/u, "");
}

interface Column {
  readonly step: number[];
  readonly time: (number | null)[];
  readonly value: number[];
}

/** The block as `ingest.push` takes it: one column a series. */
export function pushBodyOf(block: LogBlock): PushBody {
  const columns = new Map<SourceSeries, Column>();
  for (const item of block.items) {
    if (item.kind !== "points") continue;
    for (const [series, value] of item.values) {
      const column = columns.get(series) ?? { step: [], time: [], value: [] };
      columns.set(series, column);
      if (item.step !== null) column.step.push(item.step);
      column.time.push(item.timeMs);
      column.value.push(value);
    }
  }
  return {
    run: block.run,
    ...(block.metadata === null ? {} : { metadata: block.metadata }),
    series: [...columns.keys()].map(({ name, labels }) => ({ metric: cutText(name, 256), labels })),
    columns: [...columns.values()].map((column, series) => pushColumn(series, column)),
    checkpoints: block.items.flatMap((item) => (item.kind === "checkpoint" ? [item.checkpoint] : [])),
    events: block.items.flatMap((item) => (item.kind === "event" ? [item.event] : [])),
  };
}

function pushColumn(series: number, { step, time, value }: Column): NonNullable<PushBody["columns"]>[number] {
  const encoded = encodeColumn(value);
  return {
    series,
    ...(step.length > 0 ? { step } : {}),
    ...(time.some((at) => at !== null) ? { time } : {}),
    value: [...encoded.value],
    nonFinite: encoded.nonFinite.map(([index, word]) => [index, word]),
  };
}
