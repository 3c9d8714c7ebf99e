import { fieldOf, isReading, STALE_HIGH_BITS, STALE_LOW_BITS } from "@trainwatch/core";
import type { Store } from "@trainwatch/store";
import { createTestStore } from "@trainwatch/testkit";
import { emptyBuckets } from "./cell.ts";
import { type FleetBuckets, type FleetReadings, type SeriesPlace, type TailRow, WINDOW_MS } from "./contract.ts";
import { identity } from "./identity.fixture.ts";

/** Begins a span of level 2. */
export const FIRST_WINDOW = 64 * 23_255;
export const START_MS = FIRST_WINDOW * WINDOW_MS;

export const STALE = Symbol("stale");
export type Sent = number | typeof STALE;

/** A store with some series, and the same readings as plain maps: what a reader says is compared with what these say. */
export interface FleetWorld extends AsyncDisposable {
  readonly store: Store;
  readonly url: string;
  readonly places: readonly SeriesPlace[];
  readonly metrics: readonly string[];
  /** Of each place what it has been sent first at each time. */
  readonly model: readonly ReadonlyMap<number, Sent>[];
  /** Epoch ms of the maintenance's clock. */
  nowMs: number;
  /** Sends readings at one time: of each place by its index in `places`. */
  write(rows: readonly { readonly timeMs: number; readonly readings: ReadonlyMap<number, Sent> }[]): Promise<void>;
  /** Rounds of maintenance until nothing is left to do, half a minute apart so that what is quiet is seen as such. */
  settle(): Promise<void>;
}

const METRICS = ["DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "an_unknown_metric"] as const;
export const KEEP = { rawDays: 100_000, cellDays: 100_000 } as const;

export async function createFleetWorld({ nodes = 2, gpus = 5 } = {}): Promise<FleetWorld> {
  const test = await createTestStore();
  const identities = Array.from({ length: nodes }, (_, node) =>
    METRICS.flatMap((metric) => Array.from({ length: gpus }, (__, gpu) => identity(metric, `GPU-${node}-${gpu}`, `node-${node}`))),
  ).flat();
  const places = await test.store.fleet.writer.places(identities, START_MS);
  const model = places.map(() => new Map<number, Sent>());
  const world: FleetWorld = {
    store: test.store,
    url: test.url,
    places,
    metrics: identities.map(({ metric }) => metric),
    model,
    nowMs: START_MS,
    async write(rows) {
      const sent = rows.flatMap(({ timeMs, readings }) => tailRows(places, timeMs, readings));
      await test.store.fleet.writer.write(sent);
      for (const { timeMs, readings } of rows)
        for (const [index, value] of readings) if (model[index]?.has(timeMs) === false) model[index].set(timeMs, value);
    },
    async settle() {
      for (let round = 0; round < 4; round++) {
        world.nowMs += 61_000;
        while (await test.store.fleet.maintain(world.nowMs, KEEP));
      }
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
  return world;
}

function tailRows(places: readonly SeriesPlace[], timeMs: number, readings: ReadonlyMap<number, Sent>): readonly TailRow[] {
  const groups = new Map<number, { readonly slot: number; readonly value: Sent }[]>();
  for (const [index, value] of readings) {
    const place = places[index];
    if (place !== undefined) groups.set(place.groupId, [...(groups.get(place.groupId) ?? []), { slot: place.slot, value }]);
  }
  return [...groups].map(([groupId, sent]) => {
    sent.sort((a, b) => a.slot - b.slot);
    const values = new Uint8Array(8 * sent.length);
    const view = new DataView(values.buffer);
    sent.forEach(({ value }, index) => {
      if (value === STALE) {
        view.setUint32(8 * index, STALE_LOW_BITS, true);
        view.setUint32(8 * index + 4, STALE_HIGH_BITS, true);
      } else view.setFloat64(8 * index, value, true);
    });
    return { groupId, timeMs, slots: Uint16Array.from(sent, ({ slot }) => slot), values };
  });
}

/** What `at` should say. */
export function expectedAt(world: FleetWorld, atMs: number, maxAgeMs: number): FleetReadings {
  const length = world.model.length;
  const answer = { values: new Float64Array(length).fill(NaN), timesMs: new Float64Array(length).fill(NaN), has: new Uint8Array(length) };
  world.model.forEach((sent, index) => {
    const newest = Math.max(...[...sent.keys()].filter((ms) => ms <= atMs && ms >= atMs - maxAgeMs));
    const value = sent.get(newest);
    if (value === undefined) return;
    answer.timesMs[index] = newest;
    answer.values[index] = value === STALE ? NaN : value;
    answer.has[index] = value === STALE ? 2 : 1;
  });
  return answer;
}

/** What a place's buckets should say, reading by reading. */
export function expectedBuckets(world: FleetWorld, index: number, edges: Float64Array): FleetBuckets {
  const field = fieldOf(world.metrics[index] ?? "");
  const buckets = emptyBuckets(edges.length - 1);
  const sent = [...(world.model[index] ?? [])].sort(([a], [b]) => a - b);
  let before: number | null = null;
  for (const [timeMs, value] of sent) {
    const at = edges.findLastIndex((edge) => edge <= timeMs);
    if (at < 0 || at >= edges.length - 1 || value === STALE) continue;
    const add = (column: Float64Array, by: number): void => void (column[at] = (column[at] ?? 0) + by);
    if (!Number.isFinite(value)) add(buckets.nonFinite, 1);
    else if (field !== null && !isReading(field, value)) add(buckets.invalid, 1);
    else {
      if (buckets.count[at] === 0) [buckets.first[at], buckets.firstAtMs[at]] = [value, timeMs];
      if (!((buckets.min[at] ?? NaN) <= value)) [buckets.min[at], buckets.minAtMs[at]] = [value, timeMs];
      if (!((buckets.max[at] ?? NaN) >= value)) [buckets.max[at], buckets.maxAtMs[at]] = [value, timeMs];
      [buckets.last[at], buckets.lastAtMs[at]] = [value, timeMs];
      add(buckets.count, 1);
      add(buckets.sum, value);
      if (before !== null) add(buckets.increase, value < before ? value : value - before);
      before = value;
    }
  }
  return buckets;
}
