// `npm run bench -- fleet-detect`: what a tick of the fleet's detectors costs, from stored readings to stored state, every 10 s of the fleet's time.
// TRAINWATCH_BENCH_NODES=n makes the fleet larger: 2,048 nodes are 16,384 GPUs.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFleetIngest, createFleetViews, createTickReader } from "@trainwatch/api";
import { encodeFrame } from "@trainwatch/core";
import { createFleetWatch, FLEET_DETECTOR_FIELDS, FLEET_TICK_MS } from "@trainwatch/detect";
import { openStore, startEmbeddedPostgres, WINDOW_MS, type Store } from "@trainwatch/store";
import { fleetDetectStep, type HeldFleet } from "../../apps/server/src/workers/fleet-detect/fleet-detect-step.ts";
import { GPUS, hostOf, nodeValues, seriesOf, SERIES_A_NODE } from "./fleet/node-values.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";

const NODES = Number(process.env["TRAINWATCH_BENCH_NODES"] ?? 64);
const TICKS = 12;
const START_MS = Math.floor(Date.UTC(2026, 10, 29) / WINDOW_MS) * WINDOW_MS + 60_000;
/** A tick must be done well before the next is due. */
const GOAL_MS = FLEET_TICK_MS / 2;
const LEASE_MS = 3_600_000;
const SETTLED_MS = 5_000;

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true, throwAway: true });
  const store = await openStore({ url: postgres.url });
  try {
    return await measure(store);
  } finally {
    await store.close();
    await postgres.stop();
  }
}

async function measure(store: Store): Promise<Record<string, unknown> & { ok: boolean }> {
  let nowMs = START_MS;
  const now = (): number => nowMs;
  const ingest = createFleetIngest(store, now);
  const views = createFleetViews(store, now);
  const lease = await store.records.leases.acquire("detect", "bench", LEASE_MS);
  if (lease === null) throw new Error("the lease is held");
  const nodes = Array.from({ length: NODES }, (_, node) => ({ source: hostOf(node), series: seriesOf(node), values: nodeValues(node) }));
  let held: HeldFleet | null = null;
  const stepMs: number[] = [];
  for (let tick = 0; tick < TICKS; tick++) {
    nowMs = START_MS + tick * FLEET_TICK_MS;
    for (const node of nodes) {
      const values = new Uint8Array(8 * SERIES_A_NODE);
      node.values.next(new DataView(values.buffer), 0);
      const dictionary = { digest: node.source, series: node.series };
      await ingest.writeFrame(
        encodeFrame({ source: node.source, dictionaries: [dictionary] }, [{ dictionary: 0, timeMs: nowMs, presence: null, values }]),
      );
    }
    nowMs += SETTLED_MS;
    const startedAt = performance.now();
    const result = await fleetDetectStep({
      store,
      views,
      lease,
      detection: { fields: FLEET_DETECTOR_FIELDS, create: createFleetWatch },
      held,
      nowMs,
    });
    stepMs.push(performance.now() - startedAt);
    held = result.next;
    console.error(`tick ${tick + 1}: ${Math.round(stepMs.at(-1) ?? 0)} ms`);
  }
  const readMs = await readAlone(store, now);
  const { rows } = await store.pool.query<{ bytes: number }>("SELECT length(state::text)::float8 AS bytes FROM fleet_detect");
  await ingest.close();
  const [, ...warm] = stepMs;
  return {
    ok: quantile(warm, 0.5) <= GOAL_MS,
    gpus: NODES * GPUS,
    seriesRead: readMs.series,
    firstTickMs: rounded(stepMs[0] ?? Number.NaN),
    tickP50Ms: rounded(quantile(warm, 0.5)),
    tickMostMs: rounded(Math.max(...warm)),
    readAloneMs: rounded(readMs.ms),
    stateBytes: rows[0]?.bytes ?? null,
    goalMs: GOAL_MS,
    load: loadNow(),
  };
}

/** What of a tick is reading. */
async function readAlone(store: Store, now: () => number): Promise<{ readonly ms: number; readonly series: number }> {
  const reader = createTickReader(store, createFleetViews(store, now), FLEET_DETECTOR_FIELDS);
  await reader.read(now(), []);
  const startedAt = performance.now();
  const { columns } = await reader.read(now(), []);
  return { ms: performance.now() - startedAt, series: columns.reduce((sum, { has }) => sum + has.length, 0) };
}

export default { name: "fleet-detect", run };
