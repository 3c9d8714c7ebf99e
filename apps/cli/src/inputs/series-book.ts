import { canonicalMetric } from "@trainwatch/core";

/** A series of a run: what its source calls it, and what we do. */
export interface SourceSeries {
  /** Unique within the run. */
  readonly key: string;
  /** Canonical name; the source's own where none is known, or where another of its columns has the canonical one. */
  readonly name: string;
  readonly sourceName: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A log with a new name on every line must not fill memory; no real one has a tenth of these. */
const MAX_SERIES = 20_000;

interface Entry {
  readonly series: SourceSeries;
  /** Line that gave the newest value: two values of one series on one line are two columns. */
  line: number;
}

/** Names the series of a run as they come. Used alike by `inspect` and `import`, so that both call a column the same. */
export class SeriesBook {
  private readonly plain = new Map<string, Entry>();
  private readonly entries = new Map<string, Entry>();
  /** Values of series beyond the limit, left out. */
  omitted = 0;

  /** Null beyond the limit. */
  seriesOf(sourceName: string, labels: Readonly<Record<string, string>>, line: number): SourceSeries | null {
    const isPlain = hasNone(labels);
    const known = isPlain ? this.plain.get(sourceName) : undefined;
    const entry = known ?? this.find(sourceName, labels, line);
    if (entry === null) return null;
    entry.line = line;
    if (isPlain && known === undefined) this.plain.set(sourceName, entry);
    return entry.series;
  }

  private find(sourceName: string, labels: Readonly<Record<string, string>>, line: number): Entry | null {
    const canonical = canonicalMetric(sourceName);
    const held = this.entries.get(keyOf(canonical, labels));
    if (held === undefined) return this.add(canonical, sourceName, labels);
    // `loss` and `train/loss` side by side are two columns; in two files they are one metric.
    const isOtherColumn = held.series.sourceName !== sourceName && held.line === line;
    if (!isOtherColumn) return held;
    return this.entries.get(keyOf(sourceName, labels)) ?? this.add(sourceName, sourceName, labels);
  }

  private add(name: string, sourceName: string, labels: Readonly<Record<string, string>>): Entry | null {
    if (this.entries.size >= MAX_SERIES) {
      this.omitted++;
      return null;
    }
    const key = keyOf(name, labels);
    const entry: Entry = { series: { key, name, sourceName, labels }, line: -1 };
    this.entries.set(key, entry);
    return entry;
  }
}

function keyOf(name: string, labels: Readonly<Record<string, string>>): string {
  if (hasNone(labels)) return name;
  const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${name}\u0000${JSON.stringify(sorted)}`;
}

function hasNone(labels: Readonly<Record<string, string>>): boolean {
  for (const _ in labels) return false;
  return true;
}
