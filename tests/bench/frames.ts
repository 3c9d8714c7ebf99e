// `npm run bench -- frames`: frames of 32 nodes through tRPC into a durable PostgreSQL. TRAINWATCH_BENCH_STEPS=n sends fewer steps.
import { createFleetStore } from "./fleet/packed-store.ts";
import { fleetBytes, tailReadings } from "./fleet/fleet-state.ts";
import { SERIES_A_NODE } from "./fleet/node-values.ts";
import { prepareLoad } from "./fleet/run-load.ts";
import { openBenchServer } from "./speed/bench-server.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";
import { checkpoint, isDurable, readDurability } from "./speed/store-state.ts";

const NODES = 1_024;
const NODES_A_FRAME = 32;
/** One window of 20 minutes at 10 s. */
const STEPS = Number(process.env["TRAINWATCH_BENCH_STEPS"] ?? 119);
const CONNECTIONS = 8;
const GOAL_PER_S = 1_000_000;
const GOAL_BYTES = 2.5;

/** Samples a second that are acknowledged, that is on disk, and what they take once they are packed. */
export async function measureFrames(): Promise<Record<string, unknown> & { readonly ok: boolean }> {
  await using server = await openBenchServer();
  const { url, token, pool } = server;
  const durability = await readDurability(pool);
  const packed = createFleetStore(pool);
  const plan = { nodes: NODES, nodesAFrame: NODES_A_FRAME, steps: STEPS, startMs: packed.windowStartMs(Date.now()) };
  const load = await prepareLoad({ url, token, plan, pace: { kind: "full", connections: CONNECTIONS } });
  await checkpoint(pool);
  const before = loadNow();
  const result = await load.go();
  const samples = NODES * SERIES_A_NODE * STEPS;
  const stored = await tailReadings(pool);
  const tailBytes = await fleetBytes(pool, ["fleet_tail"]);
  await packed.packAll(Date.now());
  const bytesASample = (await fleetBytes(pool, ["fleet_block", "fleet_cell"])) / stored;
  const perS = (result.accepted / result.wallMs) * 1_000;
  // The step that told the series is stored too.
  const isExact =
    result.accepted === samples && result.repeated === 0 && result.refused === 0 && stored === samples + NODES * SERIES_A_NODE;
  return {
    ok: isDurable(durability) && isExact && perS >= GOAL_PER_S && bytesASample <= GOAL_BYTES,
    samples,
    samplesPerS: rounded(perS),
    goalPerS: GOAL_PER_S,
    isExact,
    stored,
    frames: result.requests,
    nodesAFrame: NODES_A_FRAME,
    connections: CONNECTIONS,
    sendS: rounded(result.wallMs / 1_000),
    p50Ms: rounded(quantile(result.latenciesMs, 0.5)),
    p99Ms: rounded(quantile(result.latenciesMs, 0.99)),
    clientCpuS: rounded(result.clientCpuMs / 1_000),
    tailBytesASample: rounded(tailBytes / stored),
    packedBytesASample: rounded(bytesASample),
    goalBytesASample: GOAL_BYTES,
    durability,
    load: before,
  };
}

export default { name: "frames", partOf: "ingest", run: measureFrames };
