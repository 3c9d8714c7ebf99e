// `npm run bench -- fleet-at`: one metric of 16,384 GPUs at a time, as the map asks for it, from the tail and from packed blocks.
// TRAINWATCH_BENCH_NODES=n makes the fleet smaller.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identifySeries, metricName } from "@trainwatch/core";
import { openStore, startEmbeddedPostgres, type SeriesPlace, type Store, WINDOW_MS } from "@trainwatch/store";
import { GPUS, nodeValues, seriesOf, SERIES_A_NODE } from "./fleet/node-values.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";

const NODES = Number(process.env["TRAINWATCH_BENCH_NODES"] ?? 2_048);
const STEP_MS = 10_000;
const ROUNDS = 25;
const GOAL_MS = 60;
const MAX_AGE_MS = 20 * 60_000;
const METRIC = "DCGM_FI_DEV_POWER_USAGE";
/** The first is packed, the other two are the tail. */
const WINDOWS = 3;
const START_MS = Math.floor(Date.UTC(2026, 10, 29) / WINDOW_MS) * WINDOW_MS;
const KEEP = { rawDays: 36_500, cellDays: 36_500 };

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true, throwAway: true });
  const store = await openStore({ url: postgres.url });
  try {
    const places = await fill(store);
    for (const atMs of [0, 60_000]) while (await store.fleet.maintain(START_MS + atMs, KEEP));
    await store.pool.query("CHECKPOINT");
    const load = loadNow();
    const tail = await measure(store, places, START_MS + (WINDOWS - 1) * WINDOW_MS + 600_000);
    const packed = await measure(store, places, START_MS + 600_000);
    const isComplete = tail.found === places.length && packed.found === places.length;
    return { ok: isComplete && tail.p50Ms <= GOAL_MS && packed.p50Ms <= GOAL_MS, gpus: places.length, goalMs: GOAL_MS, tail, packed, load };
  } finally {
    await store.close();
    await postgres.stop();
  }
}

/** Every series of every node each 10 s. @returns the places of the metric that is asked for */
async function fill(store: Store): Promise<readonly SeriesPlace[]> {
  const nodes: {
    readonly groupId: number;
    readonly order: Uint16Array;
    readonly slots: Uint16Array;
    readonly values: ReturnType<typeof nodeValues>;
  }[] = [];
  const wanted: SeriesPlace[] = [];
  const wantedMetric = metricName(METRIC);
  for (let node = 0; node < NODES; node++) {
    const identities = seriesOf(node).map(([name, labels]) => identifySeries(name, { ...labels, instance: `node-${node}`, job: "dcgm" }));
    const places = await store.fleet.writer.places(identities, START_MS);
    identities.forEach(({ metric }, index) => {
      const place = places[index];
      if (metric === wantedMetric && place !== undefined) wanted.push(place);
    });
    const order = Uint16Array.from(places.keys()).sort((a, b) => (places[a]?.slot ?? 0) - (places[b]?.slot ?? 0));
    nodes.push({
      groupId: places[0]?.groupId ?? -1,
      order,
      slots: Uint16Array.from(order, (index) => places[index]?.slot ?? 0),
      values: nodeValues(node),
    });
  }
  for (let timeMs = START_MS; timeMs < START_MS + WINDOWS * WINDOW_MS; timeMs += STEP_MS) {
    for (let from = 0; from < nodes.length; from += 256) {
      await store.fleet.writer.write(
        nodes.slice(from, from + 256).map(({ groupId, order, slots, values }) => {
          const sent = new Uint8Array(8 * SERIES_A_NODE);
          values.next(new DataView(sent.buffer), 0);
          const doubles = new Float64Array(sent.buffer);
          return { groupId, timeMs, slots, values: new Uint8Array(Float64Array.from(order, (index) => doubles[index] ?? 0).buffer) };
        }),
      );
    }
  }
  if (wanted.length !== NODES * GPUS) throw new Error(`${wanted.length} places instead of ${NODES * GPUS}`);
  return wanted;
}

async function measure(
  store: Store,
  places: readonly SeriesPlace[],
  atMs: number,
): Promise<{ readonly ownCpuMs: number; readonly p50Ms: number; readonly p95Ms: number; readonly found: number }> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const answer = await store.fleet.reader.at(places, atMs + round * 1_000, MAX_AGE_MS);
    times.push(performance.now() - started);
    found = answer.has.reduce((sum, has) => sum + (has === 1 ? 1 : 0), 0);
  }
  const { user, system } = process.cpuUsage(cpu);
  const ownCpuMs = rounded((user + system) / 1_000 / ROUNDS);
  return { ownCpuMs, p50Ms: rounded(quantile(times, 0.5)), p95Ms: rounded(quantile(times, 0.95)), found };
}

export default { name: "fleet-at", run };
