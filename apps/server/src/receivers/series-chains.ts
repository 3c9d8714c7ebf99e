import { isCurrent, type KnownSeries } from "@trainwatch/api";
import type { SeriesText } from "./labelled-readings.ts";

/** Then all are forgotten and found again by their keys. Some 600 bytes each. */
const MOST_LINKS = 300_000;

/** A series that was found, how its sender writes it, and the one that came after it the last time. */
export interface Link {
  readonly series: KnownSeries;
  readonly bytes: Buffer;
  next: Link | null;
}

/**
 * A Prometheus sends its series in the same order scrape after scrape. So a series is first held against the bytes of the one that followed its
 * forerunner the last time; only where they differ is a key made of them and looked up, at several times the cost.
 */
export interface SeriesChains {
  /** The link after `last`, where it is this series and its place is still called so. */
  follow(last: Link | null, text: SeriesText): Link | null;
  /** Remembers that a series, found by its key, came after `last`. Null: its protocol writes it otherwise in every request. */
  join(last: Link | null, series: KnownSeries, text: SeriesText): Link | null;
}

export function createSeriesChains(mostLinks = MOST_LINKS): SeriesChains {
  const links = new Map<KnownSeries, Link>();
  return {
    follow(last, text) {
      const next = last?.next ?? null;
      return next !== null && text.isWritten?.(next.bytes) === true && isCurrent(next.series) ? next : null;
    },
    join(last, series, text) {
      const link = links.get(series) ?? make(series, text);
      if (last !== null) last.next = link;
      return link;
    },
  };

  function make(series: KnownSeries, text: SeriesText): Link | null {
    const bytes = text.written?.();
    if (bytes === undefined) return null;
    if (links.size >= mostLinks) links.clear();
    const link: Link = { series, bytes, next: null };
    links.set(series, link);
    return link;
  }
}
