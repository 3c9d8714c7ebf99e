// `npm run bench -- wide-window`: a chart of metrics that every rank logs: how long the store takes to answer with bands of them, packed and not, against
// reading the ranks one by one in the same database, and what it holds. TRAINWATCH_BENCH_RANKS=n makes the run wider; at 16,384 it takes some minutes.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, startEmbeddedPostgres, type Store } from "@trainwatch/store";
import { FIRST_ATTEMPT, ramp, writePush } from "../../packages/store/src/samples/world.fixture.ts";
import { loadNow, rounded } from "./speed/figures.ts";

const RANKS = Number(process.env["TRAINWATCH_BENCH_RANKS"] ?? 1_024);
const METRICS = ["loss", "grad_norm", "compute_time", "communication_time", "data_time", "sequence_load"] as const;
const STEPS_A_PUSH = 16;
const PUSHES = 4;
const BUCKETS = 1024;

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
  let runId = 0;
  for (let push = 0; push < PUSHES; push++) {
    const from = push * STEPS_A_PUSH + 1;
    for (const metric of METRICS) {
      const points = ramp(from, from + STEPS_A_PUSH - 1, (step) => step);
      const series = Array.from({ length: RANKS }, (_, rank) => ({ metric, labels: { rank: String(rank) }, points }));
      ({ runId } = await writePush(store, series, [{ ...FIRST_ATTEMPT, firstStep: 1, lastStep: from + STEPS_A_PUSH - 1 }]));
    }
    console.error(`push ${push + 1} of ${PUSHES} is in`);
  }
  const unpacked = await ask(store, runId, METRICS);
  const unpackedOne = await ask(store, runId, METRICS.slice(0, 1));
  const packingAt = performance.now();
  while (await store.samples.maintain());
  const packMs = performance.now() - packingAt;
  const packed = await ask(store, runId, METRICS);
  const packedOne = await ask(store, runId, METRICS.slice(0, 1));
  // The same data as if it had no bands.
  await store.pool.query("DELETE FROM samples.band");
  const byRanks = await ask(store, runId, METRICS);
  const points = RANKS * PUSHES * STEPS_A_PUSH;
  return {
    ok: [unpacked, packed, byRanks].every((each) => each.points === points * METRICS.length) && unpackedOne.points === points,
    ranks: RANKS,
    metrics: METRICS.length,
    steps: PUSHES * STEPS_A_PUSH,
    unpacked,
    unpackedOne,
    packMs: rounded(packMs),
    packed,
    packedOne,
    byRanks,
    load: loadNow(),
  };
}

/** The second of two answers: the first one also warms what the database caches. */
async function ask(store: Store, runId: number, metrics: readonly string[]) {
  const question = { runId, metrics, attempts: "all", axis: "step", from: null, to: null, buckets: BUCKETS } as const;
  await store.samples.window(question);
  const [startedAt, held] = [performance.now(), { mostBytes: 0 }];
  const watch = setInterval(() => (held.mostBytes = Math.max(held.mostBytes, process.memoryUsage().rss)), 20);
  const window = await store.samples.window(question);
  clearInterval(watch);
  return {
    ms: rounded(performance.now() - startedAt),
    lines: window.lines.length,
    members: window.lines[0]?.members ?? 0,
    points: window.points,
    rssMb: rounded(held.mostBytes / 2 ** 20),
  };
}

export default { name: "wide-window", run };
