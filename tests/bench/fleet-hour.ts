// `npm run bench -- fleet-hour`: an hour of a fleet as fast as it goes, while somebody looks at it. TRAINWATCH_BENCH_NODES=n and
// TRAINWATCH_BENCH_STEPS=n make it smaller.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { WINDOW_MS, windowOf } from "@trainwatch/store";
import type pg from "pg";
import { STEP_MS } from "./fleet/frame-bodies.ts";
import { SERIES_A_NODE } from "./fleet/node-values.ts";
import { type PageReader, startPageReader, type Visit } from "./fleet/page-reader.ts";
import { sendHour } from "./fleet/run-hour.ts";
import { type BenchServer, openBenchServer } from "./speed/bench-server.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";
import { isDurable, readDurability } from "./speed/store-state.ts";

const NODES = Number(process.env["TRAINWATCH_BENCH_NODES"] ?? 1_024);
const STEPS = Number(process.env["TRAINWATCH_BENCH_STEPS"] ?? 360);
const NODES_A_FRAME = 32;
const CONNECTIONS = 8;
const HOUR_WINDOWS = 3;
const SAMPLE_TABLES = ["fleet_tail", "fleet_block", "fleet_cell", "fleet_window"] as const;
const GOALS = { timesRealTime: 20, p95Ms: 150, rssMb: 1_024, bytesASample: 2.5 } as const;
/** Windows that wait at once: the two newest are open, one must have been quiet for half a minute, one is being packed. */
const MOST_WAITING = 4;
const WATCH_EVERY_MS = 1_000;
const PACK_LIMIT_MS = 300_000;

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using server = await openBenchServer();
  const { pool, url, token } = server;
  const durability = await readDurability(pool);
  const load = loadNow();
  // Three whole windows that the clock has left behind when the hour has been sent, so that all of it is packed in the end.
  const startMs = (windowOf(Date.now()) - HOUR_WINDOWS - 2) * WINDOW_MS;
  const sum = { accepted: 0, repeated: 0, refused: 0, timeMs: startMs };
  const watch = startWatch(server);
  const started = performance.now();
  const readers: PageReader[] = [];
  await sendHour({ url, token, nodes: NODES, nodesAFrame: NODES_A_FRAME, steps: STEPS, startMs, connections: CONNECTIONS }, (step) => {
    sum.accepted += step.accepted;
    sum.repeated += step.repeated;
    sum.refused += step.refused;
    sum.timeMs = step.timeMs;
    if (readers.length === 0) readers.push(startPageReader(server, () => sum.timeMs));
  });
  const sendS = (performance.now() - started) / 1_000;
  const packStarted = performance.now();
  const isPacked = await untilPacked(pool);
  const packS = (performance.now() - packStarted) / 1_000;
  const [reader] = readers;
  await reader?.stop();
  const watched = await watch.stop();
  const visits = reader?.visits ?? [];
  const samples = NODES * SERIES_A_NODE * STEPS;
  const sizes = await fleetSizes(pool);
  const bytesASample = SAMPLE_TABLES.reduce((total, name) => total + (sizes[name] ?? 0), 0) / samples;
  const timesRealTime = (STEPS * STEP_MS) / 1_000 / sendS;
  const p95Ms = quantile(
    visits.map(({ ms }) => ms),
    0.95,
  );
  const isExact = sum.accepted === samples && sum.repeated === 0 && sum.refused === 0;
  return {
    ok:
      isDurable(durability) &&
      isExact &&
      isPacked &&
      timesRealTime >= GOALS.timesRealTime &&
      p95Ms <= GOALS.p95Ms &&
      watched.rssMb <= GOALS.rssMb &&
      watched.waiting <= MOST_WAITING &&
      bytesASample <= GOALS.bytesASample,
    nodes: NODES,
    steps: STEPS,
    samples,
    isExact,
    sendS: rounded(sendS),
    samplesPerS: rounded(samples / sendS),
    timesRealTime: rounded(timesRealTime),
    queries: visits.length,
    p95Ms: rounded(p95Ms),
    byQuery: byQuery(visits),
    seen: reader?.seen() ?? null,
    rssMb: rounded(watched.rssMb),
    mostWindowsWaiting: watched.waiting,
    packedAfterS: rounded(packS),
    isPacked,
    bytesASample: rounded(bytesASample),
    bytes: sizes,
    // What a series takes once, however long it lives.
    dictionaryBytesASeries: rounded(((sizes["fleet_series"] ?? 0) + (sizes["fleet_group"] ?? 0)) / (NODES * SERIES_A_NODE)),
    goals: { ...GOALS, windowsWaiting: MOST_WAITING },
    durability,
    load,
  };
}

function byQuery(visits: readonly Visit[]): Record<string, unknown> {
  const names = [...new Set(visits.map(({ query }) => query))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const times = visits.filter(({ query }) => query === name).map(({ ms }) => ms);
      return [
        name,
        {
          count: times.length,
          p50Ms: rounded(quantile(times, 0.5)),
          p95Ms: rounded(quantile(times, 0.95)),
          maxMs: rounded(Math.max(...times)),
        },
      ];
    }),
  );
}

/** Looks at the server's memory and at how many windows wait to be packed, as long as it runs. */
function startWatch({ pid, pool }: BenchServer): { stop(): Promise<{ readonly rssMb: number; readonly waiting: number }> } {
  let isStopped = false;
  let waiting = 0;
  const watching = (async () => {
    while (!isStopped) {
      const { rows } = await pool.query<{ waiting: number }>(
        "SELECT count(*)::int AS waiting FROM samples.fleet_window WHERE state <> 'packed'",
      );
      waiting = Math.max(waiting, rows[0]?.waiting ?? 0);
      await delay(WATCH_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return { rssMb: peakRssMb(pid), waiting };
    },
  };
}

/** The most that a process has ever had in memory, as Linux counts it. */
function peakRssMb(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? Number.NaN) / 1_024;
}

async function untilPacked(pool: pg.Pool): Promise<boolean> {
  for (const deadline = performance.now() + PACK_LIMIT_MS; performance.now() < deadline; await delay(WATCH_EVERY_MS)) {
    const { rows } = await pool.query("SELECT FROM samples.fleet_window WHERE state <> 'packed' LIMIT 1");
    if (rows.length === 0) return true;
  }
  return false;
}

/** Bytes on disk of every fleet sample table with indexes, out-of-line storage and partitions. */
async function fleetSizes(pool: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT substring(relname from '^fleet_[a-z]+') AS name, sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
     WHERE relnamespace = 'samples'::regnamespace AND relkind IN ('r', 'p') AND relname LIKE 'fleet\\_%' GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

export default { name: "fleet-hour", run };
