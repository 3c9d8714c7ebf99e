// `npm run bench -- many-small`: 1,024 agents, each one node's scrape a request.
import type pg from "pg";
import { tailReadings } from "./fleet/fleet-state.ts";
import { SERIES_A_NODE } from "./fleet/node-values.ts";
import { createFleetStore } from "./fleet/packed-store.ts";
import { prepareLoad } from "./fleet/run-load.ts";
import { openBenchServer } from "./speed/bench-server.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";
import { checkpoint, isDurable, readDurability } from "./speed/store-state.ts";

const AGENTS = 1_024;
const STEPS = Number(process.env["TRAINWATCH_BENCH_STEPS"] ?? 20);
/** Each agent sends once so often, and all of them evenly spread: 1,138 requests a second are due. */
const EVERY_MS = 900;
const GOAL_PER_S = 1_000;
const GOAL_P99_MS = 250;

/** Durable requests a second, and how long they take from when they are due. */
export async function measureManySmall(): Promise<Record<string, unknown> & { readonly ok: boolean }> {
  await using server = await openBenchServer();
  const { url, token, pool } = server;
  const durability = await readDurability(pool);
  const plan = { nodes: AGENTS, nodesAFrame: 1, steps: STEPS, startMs: createFleetStore(pool).windowStartMs(Date.now()) };
  const load = await prepareLoad({ url, token, plan, pace: { kind: "paced", everyMs: EVERY_MS } });
  await checkpoint(pool);
  const before = loadNow();
  const commitsBefore = await commits(pool);
  const result = await load.go();
  const samples = AGENTS * SERIES_A_NODE * STEPS;
  const stored = await tailReadings(pool);
  const perS = (result.requests / result.wallMs) * 1_000;
  const p99Ms = quantile(result.latenciesMs, 0.99);
  const isExact =
    result.accepted === samples && result.repeated === 0 && result.refused === 0 && stored === samples + AGENTS * SERIES_A_NODE;
  return {
    ok: isDurable(durability) && isExact && perS >= GOAL_PER_S && p99Ms < GOAL_P99_MS,
    agents: AGENTS,
    requests: result.requests,
    requestsPerS: rounded(perS),
    goalPerS: GOAL_PER_S,
    duePerS: rounded((AGENTS / EVERY_MS) * 1_000),
    p50Ms: rounded(quantile(result.latenciesMs, 0.5)),
    p99Ms: rounded(p99Ms),
    maxMs: rounded(Math.max(...result.latenciesMs)),
    goalP99Ms: GOAL_P99_MS,
    samplesPerS: rounded((result.accepted / result.wallMs) * 1_000),
    isExact,
    transactions: (await commits(pool)) - commitsBefore,
    sendS: rounded(result.wallMs / 1_000),
    clientCpuS: rounded(result.clientCpuMs / 1_000),
    durability,
    load: before,
  };
}

/** Of all kinds, those of the workers too. */
async function commits(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    "SELECT xact_commit::float8 AS n FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0]?.n ?? Number.NaN;
}

export default { name: "many-small", partOf: "ingest", run: measureManySmall };
