// `npm run bench -- detect-state`: what one step of the detect worker costs on a run whose ranks log for themselves: time, samples, and bytes of state.
// TRAINWATCH_BENCH_RANKS=n makes the run wider; at 16,384 it takes some minutes.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCaller,
  createFleetIngest,
  createFleetViews,
  createMoveHub,
  createComparisons,
  createSignalCache,
  type ApiContext,
} from "@trainwatch/api";
import { openStore, startEmbeddedPostgres, type Store } from "@trainwatch/store";
import { buildPush } from "@trainwatch/testkit";
import { detectStep } from "../../apps/server/src/workers/detect/detect-step.ts";
import type { WatchedRun } from "../../apps/server/src/workers/detect/watched-run.ts";
import { loadNow, quantile, rounded } from "./speed/figures.ts";

const RANKS = Number(process.env["TRAINWATCH_BENCH_RANKS"] ?? 1_024);
const METRICS = ["loss", "grad_norm", "compute_time", "communication_time", "data_time", "sequence_load"] as const;
/** Training steps a push, and pushes' worth of them. */
const STEPS_A_PUSH = 4;
const ROUNDS = 4;
const SERIES_A_PUSH = 1_020;
const LEASE_MS = 3_600_000;

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
  const verbs = createCaller(contextOf(store));
  const lease = await store.records.leases.acquire("detect", "bench", LEASE_MS);
  if (lease === null) throw new Error("the lease is held");
  const views = createFleetViews(store, Date.now);
  let held: WatchedRun | null = null;
  const ms: number[] = [];
  const pushMs: number[] = [];
  let samples = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const pushedAt = performance.now();
    for (const push of pushesOf(round)) samples += (await verbs.ingest.push(push)).accepted;
    pushMs.push(performance.now() - pushedAt);
    for (let hasMore = true; hasMore;) {
      const [pending] = await store.records.cursors.pending(1);
      if (pending === undefined) break;
      const startedAt = performance.now();
      const result: Awaited<ReturnType<typeof detectStep>> = await detectStep({
        store,
        views,
        lease,
        run: pending,
        held,
        nowMs: Date.now(),
      });
      ms.push(performance.now() - startedAt);
      ({ next: held, hasMore } = result);
    }
    console.error(
      `round ${round + 1}: ${Math.round(pushMs.at(-1) ?? 0)} ms of pushes, steps of ${ms.map((each) => Math.round(each)).join(", ")} ms`,
    );
  }
  const { rows } = await store.pool.query<{ stored: number; bytes: number }>(
    "SELECT sum(pg_column_size(state))::float8 AS stored, sum(length(state::text))::float8 AS bytes FROM detect_state",
  );
  const total = ms.reduce((sum, each) => sum + each, 0);
  return {
    ok: true,
    ranks: RANKS,
    metrics: METRICS.length,
    samples,
    stepP50Ms: rounded(quantile(ms, 0.5)),
    stepMostMs: rounded(Math.max(...ms)),
    trainingStepMs: rounded(total / (ROUNDS * STEPS_A_PUSH)),
    stateBytes: rows[0]?.bytes ?? null,
    storedBytes: rows[0]?.stored ?? null,
    load: loadNow(),
  };
}

function* pushesOf(round: number) {
  const series = Array.from({ length: RANKS }, (_, rank) => METRICS.map((metric) => ({ metric, rank }))).flat();
  for (let from = 0; from < series.length; from += SERIES_A_PUSH) {
    yield buildPush(
      { source: `ranks ${from}`, seq: round },
      series.slice(from, from + SERIES_A_PUSH).map(({ metric, rank }) => ({
        metric,
        labels: { rank: String(rank) },
        points: Array.from({ length: STEPS_A_PUSH }, (_, index) => {
          const step = round * STEPS_A_PUSH + index + 1;
          return [step, 2 + 0.05 * Math.sin(step * 12.9898 + rank * 78.233 + metric.length), 1_800_000_000_000 + step * 1_000] as const;
        }),
      })),
    );
  }
}

function contextOf(store: Store): ApiContext {
  return {
    store,
    now: Date.now,
    moves: createMoveHub(),
    signals: createSignalCache(Date.now),
    comparisons: createComparisons(),
    fleetIngest: createFleetIngest(store, Date.now),
    fleetViews: createFleetViews(store, Date.now),
    requestId: "bench",
    server: { version: "0", demo: false },
    actor: { name: "bench", scopes: ["admin"], tokenId: null, via: "local" },
  };
}

export default { name: "detect-state", partOf: "detect", run };
