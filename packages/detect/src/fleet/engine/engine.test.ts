import { describe, expect, it } from "vitest";
import { T0, columnFor } from "../testing/fleet.fixture.ts";
import type { Cell } from "../testing/fleet.fixture.ts";
import { choose } from "./choose.ts";
import { CounterTrack } from "./counter-track.ts";
import { EpisodeBook } from "./episode.ts";
import type { Sighting } from "./episode.ts";
import { RowNumbers } from "./row-numbers.ts";

const column = (entities: readonly string[], cell: (row: number) => Cell, tick = 0) => columnFor({ field: "x", entities, cell }, tick);
const again = (stored: unknown): unknown => JSON.parse(JSON.stringify(stored));

describe("numbers beside rows", () => {
  const numbers = [{ initial: Number.NaN, rest: 0 }];

  it("follow their entities when rows change places, come and go", () => {
    const rows = new RowNumbers(numbers, undefined);
    const [first] = rows.align({ entities: ["a", "b", "c"], labels: [] });
    first?.set([1, 2, 3]);
    expect(rows.align({ entities: ["c", "new", "a"], labels: [] })[0]).toEqual(Float64Array.from([3, Number.NaN, 1]));
  });

  it("tell series of one entity apart by their labels", () => {
    const rows = new RowNumbers(numbers, undefined);
    rows.align({ entities: ["a", "a"], labels: ["w=1", "w=2"] })[0]?.set([1, 2]);
    expect(rows.align({ entities: ["a", "a"], labels: ["w=2", "w=1"] })[0]).toEqual(Float64Array.from([2, 1]));
  });

  it("store what is not at rest, and know what was at rest as long as the rows are the same", () => {
    const rows = new RowNumbers(numbers, undefined);
    rows.align({ entities: ["a", "b"], labels: [] })[0]?.set([0, 7]);
    const stored = again(rows.store());
    expect(JSON.stringify(stored)).not.toContain('"a"');
    expect(new RowNumbers(numbers, stored).align({ entities: ["a", "b"], labels: [] })[0]).toEqual(Float64Array.from([0, 7]));
    // With other rows nobody knows whether "a" stood at 0 or was never seen.
    expect(new RowNumbers(numbers, stored).align({ entities: ["a", "b", "c"], labels: [] })[0]).toEqual(
      Float64Array.from([Number.NaN, 7, Number.NaN]),
    );
  });

  it("keep no more rows than a state should have", () => {
    const entities = Array.from({ length: 2_001 }, (_, row) => `e${row}`);
    const rows = new RowNumbers(numbers, undefined);
    rows.align({ entities, labels: [] })[0]?.fill(1);
    expect(rows.store()).toBeNull();
  });
});

describe("growth of a counter", () => {
  it("is known from the second reading on, once a reading, and never after a step back", () => {
    const track = new CounterTrack(undefined);
    const growths = [5, 8, 8, 2, 4, 6].map(
      (value, tick) =>
        track.advance(
          column(["a"], () => value, tick),
          T0 + tick * 10_000,
        ).delta[0],
    );
    expect(growths).toEqual([Number.NaN, 3, 0, Number.NaN, Number.NaN, Number.NaN]);
    const late = track.advance(
      column(["a"], () => 9, 40),
      T0 + 400_000,
    );
    expect([late.delta[0], late.spanMs[0]]).toEqual([3, 350_000]);
  });

  it("goes on over a restart", () => {
    const track = new CounterTrack(undefined);
    track.advance(
      column(["a", "b"], (row) => row * 4, 0),
      T0,
    );
    const resumed = new CounterTrack(again(track.store()));
    expect([
      ...resumed.advance(
        column(["a", "b"], (row) => row * 4 + 2, 1),
        T0 + 10_000,
      ).delta,
    ]).toEqual([2, 2]);
  });
});

describe("episodes", () => {
  const sighting: Sighting = {
    key: "k",
    what: "w",
    metric: "m",
    subject: { kind: "gpu", id: "g" },
    place: null,
    severity: "warning",
    onsetMs: 0,
    value: 1,
    baseline: 0,
  };
  const book = () => new EpisodeBook({ clearMs: 180_000, foldMs: 1_800_000 }, undefined);

  it("G1: trouble that fires and resolves each 40 s for an hour is one episode with a count", () => {
    const own = book();
    let told = 0;
    for (let now = 0; now <= 3_600_000; now += 10_000) {
      if (now % 80_000 < 40_000) own.see(sighting, now);
      else own.calm("k", now);
      told += own.settle(now).length;
    }
    expect([own.size, own.get("k")?.times, own.get("k")?.endMs]).toEqual([1, 46, null]);
    expect(told).toBeLessThan(25);
  });

  it("F1: the last of a count is told half a minute after it came, though it is no doubling, and while it grows not more often than before", () => {
    const own = book();
    const toldAt: (readonly [atS: number, value: number | null])[] = [];
    for (let atS = 0; atS <= 900; atS += 10) {
      // A flood of which most comes at once; later one that trickles for ten minutes.
      const value = atS < 20 ? [92_070, 170_000][atS / 10] : atS >= 200 && atS < 800 ? 170_000 + atS : undefined;
      if (value !== undefined) own.see({ ...sighting, value }, atS * 1_000);
      for (const episode of own.settle(atS * 1_000)) toldAt.push([atS, episode.peak]);
    }
    expect(toldAt).toEqual([
      [0, 92_070],
      [40, 170_000],
      [340, 170_340],
      [640, 170_640],
      [820, 170_790],
    ]);
  });

  it.each([40, 50, 60])("F1: of a count that grows each %i s it is told twice in five minutes at most, over restarts too", (everyS) => {
    let own = book();
    const toldAtS: number[] = [];
    // So slow against the first value that it never doubles.
    for (let atS = 0; atS <= 3_600; atS += 10) {
      if (atS % everyS === 0) own.see({ ...sighting, value: 100_000 + atS }, atS * 1_000);
      for (const _ of own.settle(atS * 1_000)) toldAtS.push(atS);
      own = new EpisodeBook({ clearMs: 180_000, foldMs: 1_800_000 }, again(own.store()));
    }
    const most = Math.max(...toldAtS.map((fromS) => toldAtS.filter((atS) => atS >= fromS && atS < fromS + 300).length));
    expect(most).toBe(2);
  });

  it("G3: silence is no calm: what cannot be read stays as it was", () => {
    const own = book();
    own.see(sighting, 0);
    for (let now = 10_000; now < 7_200_000; now += 10_000) own.settle(now);
    expect(own.get("k")?.endMs).toBeNull();
  });

  it("G3: what has not been read for a day is told as closed, once, and forgotten", () => {
    const own = book();
    own.see(sighting, 0);
    own.settle(0);
    const told: (readonly [number, number | null, boolean])[] = [];
    for (let now = 10_000; now < 2 * 86_400_000; now += 10_000)
      for (const { endMs, isUnheard } of own.settle(now)) told.push([now, endMs, isUnheard]);
    expect(told).toEqual([[86_410_000, 0, true]]);
    expect(own.size).toBe(0);
  });

  it("what comes back within the fold time is the same, later another", () => {
    const ids = [1_000_000, 3_000_000].map((back) => {
      const own = book();
      own.see(sighting, 0);
      for (let now = 10_000; now < back; now += 10_000) {
        own.calm("k", now);
        own.settle(now);
      }
      return own.see(sighting, back).detectedMs;
    });
    expect(ids).toEqual([0, 3_000_000]);
  });
});

describe("parameters", () => {
  const PARAMETERS = [{ name: "limit", value: 5, unit: "", meaning: "a limit" }] as const;

  it("are the context's where it gives one that can stand, and the defaults else", () => {
    expect(choose("d", PARAMETERS, {})("limit")).toBe(5);
    expect(choose("d", PARAMETERS, { parameters: { limit: 7, other: 1 } })("limit")).toBe(7);
    for (const limit of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      expect(choose("d", PARAMETERS, { parameters: { limit } })("limit")).toBe(5);
  });
});
