import type { FleetIngest, KnownSeries, TimeBounds } from "@trainwatch/api";
import { describe, expect, it } from "vitest";
import type { LabelledReadings } from "./labelled-readings.ts";
import { createSeriesChains } from "./series-chains.ts";
import { tellSeries } from "./tell-series.ts";

const BOUNDS: TimeBounds = { faultOf: (timeMs) => (timeMs < 100 ? { code: "too-old", message: "Too old." } : null) };

/** A book that knows nothing at first, and what it was asked. */
function emptyBook() {
  const known = new Map<string, KnownSeries>();
  const learnt: { readonly names: readonly string[]; readonly timeMs: number }[] = [];
  let slot = 0;
  const book: FleetIngest["book"] = {
    find: (sender, key) => known.get(`${sender} ${key}`),
    keep: (sender, key, series) => void known.set(`${sender} ${key}`, series),
    changes: () => 0,
    learn(_sender, asked, timeMs) {
      learnt.push({ names: asked.map(({ name }) => name), timeMs });
      return Promise.resolve(
        asked.map(({ name }) =>
          name === "bad"
            ? ({ code: "bad-name", message: "Bad." } as const)
            : { groupId: 1, slot: slot++, labels: 0, calledBy: { labels: 0 } },
        ),
      );
    },
  };
  return { book, learnt };
}

function request(...series: readonly (readonly [name: string, ...timesMs: readonly number[]])[]) {
  let read = 0;
  const readings: LabelledReadings = {
    series: series.map(([name]) => ({
      key: name,
      labels: () => {
        read++;
        return name === "" ? ({ code: "bad-name", message: "No name." } as const) : { name, labels: {} };
      },
    })),
    seriesOf: series.flatMap(([, ...times], index) => times.map(() => index)),
    timesMs: series.flatMap(([, ...times]) => times),
    values: new Uint8Array(),
  };
  return { readings, read: () => read };
}

describe("series of a request", () => {
  it("have their labels read once, not with every sample", async () => {
    const { book, learnt } = emptyBook();
    const first = request(["a", 200, 300], ["b", 150]);
    const told = await tellSeries({ book, chains: createSeriesChains() }, "s", first.readings, BOUNDS);
    expect([first.read(), learnt]).toEqual([2, [{ names: ["a", "b"], timeMs: 150 }]]);
    const second = request(["b", 400], ["a", 400]);
    expect(await tellSeries({ book, chains: createSeriesChains() }, "s", second.readings, BOUNDS)).toEqual(told.toReversed());
    expect([second.read(), learnt.length]).toEqual([0, 1]);
  });

  it("are learnt once where a request brings one in several pieces, at the earliest time that is taken", async () => {
    const { book, learnt } = emptyBook();
    const [a, b] = await tellSeries({ book, chains: createSeriesChains() }, "s", request(["a", 5, 300], ["a", 200]).readings, BOUNDS);
    expect(learnt).toEqual([{ names: ["a"], timeMs: 200 }]);
    expect(a).toBe(b);
  });

  it("are not learnt where no reading of them is taken", async () => {
    const { book, learnt } = emptyBook();
    expect(await tellSeries({ book, chains: createSeriesChains() }, "s", request(["a", 5, 6]).readings, BOUNDS)).toEqual([undefined]);
    expect(learnt).toEqual([]);
  });

  it("are told apart from those that the protocol or the store refuses, which are asked for again the next time", async () => {
    const { book, learnt } = emptyBook();
    for (let turn = 0; turn < 2; turn++)
      expect(
        await tellSeries({ book, chains: createSeriesChains() }, "s", request(["", 200], ["bad", 200], ["a", 200]).readings, BOUNDS),
      ).toMatchObject([{ code: "bad-name", message: "No name." }, { code: "bad-name", message: "Bad." }, { slot: 0 }]);
    expect(learnt.map(({ names }) => names)).toEqual([["bad", "a"], ["bad"]]);
  });

  it("of another sender are its own", async () => {
    const { book, learnt } = emptyBook();
    await tellSeries({ book, chains: createSeriesChains() }, "one", request(["a", 200]).readings, BOUNDS);
    await tellSeries({ book, chains: createSeriesChains() }, "two", request(["a", 200]).readings, BOUNDS);
    expect(learnt).toHaveLength(2);
  });

  it("may come in more pieces than a call takes arguments", async () => {
    const { book, learnt } = emptyBook();
    const pieces = Array.from({ length: 200_000 }, (_, at) => at);
    const readings: LabelledReadings = {
      series: pieces.map(() => ({ key: "a", labels: () => ({ name: "a", labels: {} }) })),
      seriesOf: pieces,
      timesMs: pieces.map((at) => 300_000 - at),
      values: new Uint8Array(),
    };
    await tellSeries({ book, chains: createSeriesChains() }, "s", readings, BOUNDS);
    expect(learnt).toEqual([{ names: ["a"], timeMs: 100_001 }]);
  });
});
