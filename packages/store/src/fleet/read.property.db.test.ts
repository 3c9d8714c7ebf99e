import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FleetBuckets, WINDOW_MS } from "./contract.ts";
import { createFleetWorld, expectedAt, expectedBuckets, type FleetWorld, type Sent, STALE, START_MS } from "./fleet-world.fixture.ts";
import { bucketPlan } from "./read-edges.ts";

const PLACES = 30;
/** Next to each other, at both ends of a span of level 2, and far away. */
const WINDOWS = [0, 1, 2, 3, 62, 63, 64, 65, 130, 200] as const;

const value: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 120 }) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 1_000_000 }).map((whole) => whole / 1000) },
  fc.double({ noNaN: false }),
  fc.constantFrom<Sent>(STALE, NaN, Infinity, -Infinity, -0, Number("9223372036854775794"), 2_147_483_632),
);
const timeMs = fc
  .tuple(
    fc.constantFrom(...WINDOWS),
    fc.oneof(
      fc.constantFrom(0, 1, WINDOW_MS - 1),
      fc.nat(119).map((step) => step * 10_000),
      fc.nat(WINDOW_MS - 1),
    ),
  )
  .map(([window, offset]) => START_MS + window * WINDOW_MS + offset);
const row = fc.record({
  timeMs,
  readings: fc
    .tuple(fc.subarray([...Array(PLACES).keys()], { minLength: 1 }), fc.array(value, { minLength: PLACES, maxLength: PLACES }))
    .map(([places, values]) => new Map<number, Sent>(places.map((place) => [place, values[place] ?? 0]))),
});
/** Rows to write (some of them twice), or null: let maintenance do all there is to do. */
const act = fc.oneof({ weight: 3, arbitrary: fc.array(row, { minLength: 1, maxLength: 12 }) }, { weight: 1, arbitrary: fc.constant(null) });
const looks = fc.array(fc.record({ atMs: timeMs, maxAgeMs: fc.constantFrom(0, 30_000, WINDOW_MS, 70 * WINDOW_MS) }), {
  minLength: 1,
  maxLength: 4,
});
const ranges = fc.array(
  fc
    .record({
      fromMs: timeMs,
      spanMs: fc.constantFrom(60_000, 3 * WINDOW_MS, 40 * WINDOW_MS, 210 * WINDOW_MS),
      buckets: fc.constantFrom(1, 3, 20),
    })
    .map(({ fromMs, spanMs, buckets }) => ({ fromMs, toMs: fromMs + spanMs, buckets })),
  { minLength: 1, maxLength: 4 },
);

describe("what the fleet reader says", () => {
  it("is what was sent, reading by reading, before, between and after every step of packing", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 7 }), looks, ranges, async (acts, asked, windows) => {
        await using world = await createFleetWorld();
        expect(world.places.length).toBe(PLACES);
        for (const rows of acts) {
          if (rows === null) await world.settle();
          else {
            await world.write(rows);
            await world.write(rows.slice(0, 2));
          }
          await expectSame(world, asked, windows);
        }
        await world.settle();
        await expectSame(world, asked, windows);
      }),
      // Shrinking would run for minutes: a failure names its seed.
      { numRuns: 12, endOnFailure: true },
    );
  });
});

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  readonly buckets: number;
}

async function expectSame(
  world: FleetWorld,
  asked: readonly { atMs: number; maxAgeMs: number }[],
  ranges: readonly Range[],
): Promise<void> {
  const { reader } = world.store.fleet;
  for (const { atMs, maxAgeMs } of asked) expect(await reader.at(world.places, atMs, maxAgeMs)).toEqual(expectedAt(world, atMs, maxAgeMs));
  const times = asked.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const maxAgeMs = asked[0]?.maxAgeMs ?? 0;
  expect(await reader.atEach(world.places, times, maxAgeMs)).toEqual(times.map((atMs) => expectedAt(world, atMs, maxAgeMs)));
  for (const { fromMs, toMs, buckets } of ranges) {
    const { edges } = bucketPlan(fromMs, toMs, buckets);
    const got = await reader.window(world.places, fromMs, toMs, buckets);
    got.forEach((each, index) => expectBuckets(each, expectedBuckets(world, index, edges)));
    const [index] = [world.places.length - 1 - buckets];
    const place = world.places[index];
    if (place === undefined) continue;
    const sent = [...(world.model[index] ?? [])].filter(([ms]) => ms >= fromMs && ms < toMs).sort(([a], [b]) => a - b);
    const readings = await reader.readings(place, fromMs, toMs, 1000);
    expect([...readings.timesMs]).toEqual(sent.map(([ms]) => ms));
    expect([...readings.values]).toEqual(sent.map(([, given]) => (given === STALE ? NaN : given)));
    expect([...readings.stale]).toEqual(sent.map(([, given]) => (given === STALE ? 1 : 0)));
  }
}

/** Sums of doubles depend on the order in which they are added, the rest does not. */
function expectBuckets(got: FleetBuckets, wanted: FleetBuckets): void {
  const { sum, increase, ...exact } = got;
  const { sum: wantedSum, increase: wantedIncrease, ...wantedExact } = wanted;
  expect(exact).toEqual(wantedExact);
  expectClose(sum, wantedSum, wanted);
  expectClose(increase, wantedIncrease, wanted);
}

function expectClose(got: Float64Array, wanted: Float64Array, { min, max }: FleetBuckets): void {
  got.forEach((each, at) => {
    const expected = wanted[at] ?? 0;
    const scale = Math.max(Math.abs(min[at] ?? 0), Math.abs(max[at] ?? 0), Math.abs(expected)) || 0;
    if (!(Math.abs(each - expected) <= 1e-9 * scale) && !Object.is(each, expected)) expect.fail(`${each} instead of ${expected}`);
  });
}
