import { createFakeClock, createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createFleetIngest, type FleetIngest } from "./fleet-ingest.ts";
import { type AskedSeries, isFault, type KnownSeries } from "./series-book.ts";
import type { ReadingsAnswer } from "./write-readings.ts";

const SERIES = ["a", "b"].map((name): AskedSeries => ({ name, labels: { job: "node", instance: "n1:9100" } }));

async function learnt(ingest: FleetIngest, timeMs: number): Promise<readonly KnownSeries[]> {
  const answers = await ingest.book.learn("prometheus", SERIES, timeMs);
  return answers.flatMap((answer) => (isFault(answer) ? [] : [answer]));
}

function write(
  ingest: FleetIngest,
  readings: readonly (readonly [series: KnownSeries | undefined, timeMs: number, value: number])[],
): Promise<ReadingsAnswer> {
  return ingest.writeReadings({
    series: readings.flatMap(([series]) => series ?? []),
    timesMs: Float64Array.from(readings, ([, timeMs]) => timeMs),
    values: new Uint8Array(Float64Array.from(readings, ([, , value]) => value).buffer),
  });
}

describe("readings of a receiver", () => {
  it("I1: 98 of 100 are stored where one was there, one has another value and one is out of order; each is told by its place", async () => {
    await using world = await createTestStore();
    const clock = createFakeClock();
    const ingest = createFleetIngest(world.store, clock.now);
    const start = clock.now() - 3_600_000;
    const [a, b] = await learnt(ingest, start);
    await write(
      ingest,
      [10, 20, 30].map((second) => [a, start + 1_000 * second, second] as const),
    );
    const batch = [
      [a, start + 20_000, 20],
      [a, start + 30_000, 31],
      [a, start + 5_000, 5],
      ...Array.from({ length: 97 }, (_, index) => [index % 2 === 0 ? a : b, start + 60_000 + 1_000 * index, index] as const),
    ] as const;
    const answer = await write(ingest, batch);
    expect(answer).toMatchObject({ accepted: 98, repeated: 1, refusedTotal: 1, refused: [{ index: 1, code: "conflict" }] });
    expect(await write(ingest, batch)).toMatchObject({ accepted: 0, repeated: 99, refusedTotal: 1, refused: [{ index: 1 }] });
    await ingest.close();
    expect((await world.store.records.status.read(clock.now())).lastHour).toEqual({ accepted: 101, repeated: 100, refused: 2 });
  });

  it("tells times that are not taken apart from the rest, and compares a series that comes twice with itself", async () => {
    await using world = await createTestStore();
    const clock = createFakeClock();
    const ingest = createFleetIngest(world.store, clock.now);
    const now = clock.now();
    const [a, b] = await learnt(ingest, now);
    const answer = await write(ingest, [
      [b, now, 1],
      [a, now, 2],
      [a, now + 3_600_000, 3],
      [b, Number.NaN, 4],
      [a, now, 2],
      [a, now, 9],
    ]);
    expect(answer).toMatchObject({ accepted: 2, repeated: 1, refusedTotal: 3 });
    expect(answer.refused.map(({ index, code }) => [index, code])).toEqual([
      [2, "too-new"],
      [3, "bad-time"],
      [5, "conflict"],
    ]);
  });
});
