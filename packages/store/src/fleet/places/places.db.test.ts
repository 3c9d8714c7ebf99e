import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { GROUP_SLOTS, type SeriesPlace } from "../contract.ts";
import { identity } from "../identity.fixture.ts";
import { createFleet } from "../index.ts";

const NOW = Date.UTC(2026, 10, 1);
const METRICS = Array.from({ length: 30 }, (_, index) => `metric_${String(index).padStart(2, "0")}`);
const node = (target: string) =>
  METRICS.flatMap((metric) => Array.from({ length: 8 }, (_, gpu) => identity(metric, `GPU-${target}-${gpu}`, target)));

describe("places of series", () => {
  it("lie in one group of the target, 8 GPUs of a metric in a section, and stay", async () => {
    await using world = await createTestStore();
    const series = node("n1");
    const places = await world.store.fleet.writer.places(series, NOW);
    expect(new Set(places.map(({ groupId }) => groupId)).size).toBe(1);
    series.forEach(({ metric }, index) => {
      expect(Math.floor((places[index]?.slot ?? -1) / 8)).toBe(METRICS.indexOf(metric));
    });
    expect(await createFleet(world.store.pool).writer.places([...series].reverse(), NOW + 1)).toEqual([...places].reverse());
    const { rows } = await world.store.pool.query("SELECT slots FROM samples.fleet_group");
    expect(rows).toEqual([{ slots: 240 }]);
  });

  it("go on in further groups where a target has more series than a group has slots", async () => {
    await using world = await createTestStore();
    const { writer } = world.store.fleet;
    const many = Array.from({ length: 1_300 }, (_, index) => identity(`metric_${index}`, null));
    const places = [...(await writer.places(many.slice(0, 500), NOW)), ...(await writer.places(many.slice(500), NOW))];
    const perGroup = countBy(places);
    expect(perGroup).toEqual([GROUP_SLOTS, GROUP_SLOTS, 1_300 - 2 * GROUP_SLOTS]);
    expect(new Set(places.map(keyOf)).size).toBe(1_300);
    expect(Math.max(...places.map(({ slot }) => slot))).toBeLessThan(GROUP_SLOTS);
  });

  it("are the same for everybody who asks at once, of overlapping lists, in any process", async () => {
    await using world = await createTestStore();
    const writers = [world.store.fleet.writer, createFleet(world.store.pool).writer, createFleet(world.store.pool).writer];
    const series = [...node("n1"), ...node("n2"), ...node("n3")];
    const asked = Array.from({ length: 24 }, (_, index) => ({
      from: (index * 97) % 500,
      writer: writers[index % 3] ?? world.store.fleet.writer,
    }));
    const answers = await Promise.all(asked.map(({ from, writer }) => writer.places(series.slice(from, from + 200), NOW)));
    const known = new Map<string, string>();
    answers.forEach((places, index) => {
      places.forEach((place, at) => {
        const key = series[(asked[index]?.from ?? 0) + at]?.key ?? "";
        expect(known.get(key) ?? keyOf(place)).toBe(keyOf(place));
        known.set(key, keyOf(place));
      });
    });
    expect(new Set(known.values()).size).toBe(known.size);
    const { rows } = await world.store.pool.query<{ series: number }>("SELECT count(*)::int AS series FROM samples.fleet_series");
    expect(rows).toEqual([{ series: known.size }]);
  });

  it("keep what is told of a series", async () => {
    await using world = await createTestStore();
    await world.store.fleet.writer.places([{ ...identity("temp", "GPU-1"), sourceName: "DCGM_TEMP", labels: { sensor: 'a"\\ü' } }], NOW);
    const { rows } = await world.store.pool.query(
      "SELECT metric, source_name, entity_kind, entity_id, labels, length(key) AS key, created_ms FROM samples.fleet_series",
    );
    expect(rows).toEqual([
      {
        metric: "temp",
        source_name: "DCGM_TEMP",
        entity_kind: "gpu",
        entity_id: "GPU-1",
        labels: { sensor: 'a"\\ü' },
        key: 32,
        created_ms: NOW,
      },
    ]);
  });
});

function keyOf({ groupId, slot }: SeriesPlace): string {
  return `${groupId}/${slot}`;
}

/** How many places each group has, by group. */
function countBy(places: readonly SeriesPlace[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { groupId } of places) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b).map(([, count]) => count);
}
