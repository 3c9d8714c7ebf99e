import type { KnownSeries } from "@trainwatch/api";
import { describe, expect, it } from "vitest";
import type { SeriesText } from "./labelled-readings.ts";
import { createSeriesChains, type Link } from "./series-chains.ts";

function text(name: string): SeriesText {
  return {
    key: name,
    labels: () => ({ name, labels: {} }),
    isWritten: (bytes) => bytes.equals(Buffer.from(name)),
    written: () => Buffer.from(name),
  };
}

function known(slot: number): KnownSeries {
  return { groupId: 1, slot, labels: 1, calledBy: { labels: 1 } };
}

/** A request of these series, each found by its key where no chain leads to it; how many were. */
function request(chains: ReturnType<typeof createSeriesChains>, book: ReadonlyMap<string, KnownSeries>, names: readonly string[]) {
  let last: Link | null = null;
  let followed = 0;
  const found = names.map((name) => {
    const link = chains.follow(last, text(name));
    const series = link?.series ?? book.get(name);
    if (series === undefined) throw new Error(`${name} is not in the book`);
    if (link !== null) followed++;
    last = link ?? chains.join(last, series, text(name));
    return series.slot;
  });
  return { found, followed };
}

const BOOK = new Map([..."abcdef"].map((name, slot) => [name, known(slot)]));

describe("chains of series", () => {
  it("lead through a request of the same order without a key, from its second series on", () => {
    const chains = createSeriesChains();
    expect(request(chains, BOOK, [..."abcd"])).toEqual({ found: [0, 1, 2, 3], followed: 0 });
    expect(request(chains, BOOK, [..."abcd"])).toEqual({ found: [0, 1, 2, 3], followed: 3 });
    // The cut between two requests may lie elsewhere the next time.
    expect(request(chains, BOOK, [..."cd"])).toEqual({ found: [2, 3], followed: 1 });
  });

  it("never take one series for another where the order has changed, and learn the new order", () => {
    const chains = createSeriesChains();
    request(chains, BOOK, [..."abcd"]);
    expect(request(chains, BOOK, [..."aebd"]).found).toEqual([0, 4, 1, 3]);
    expect(request(chains, BOOK, [..."aebd"])).toEqual({ found: [0, 4, 1, 3], followed: 3 });
  });

  it("end where a place is called otherwise by now", () => {
    const chains = createSeriesChains();
    const renamed = { ...known(1), calledBy: { labels: 1 } };
    const book = new Map([...BOOK, ["b", renamed]]);
    request(chains, book, [..."abc"]);
    renamed.calledBy.labels = 2;
    expect(chains.follow(chains.join(null, BOOK.get("a") ?? known(0), text("a")), text("b"))).toBeNull();
  });

  it("are forgotten all together beyond their limit, and begin anew", () => {
    const chains = createSeriesChains(2);
    request(chains, BOOK, [..."abcdef"]);
    expect(request(chains, BOOK, [..."abcdef"]).found).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("are not for protocols that write a series otherwise in every request", () => {
    const { key, labels } = text("a");
    expect(createSeriesChains().join(null, known(0), { key, labels })).toBeNull();
  });
});
