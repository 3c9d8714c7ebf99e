import {
  createCaller,
  createFleetIngest,
  createFleetViews,
  createMoveHub,
  createComparisons,
  createSignalCache,
  LOCAL_ACTOR,
} from "@trainwatch/api";
import type { PushInput } from "@trainwatch/core";
import { openStore } from "@trainwatch/store";
import type { BenchServer } from "./bench-server.ts";
import { FIRST_STEP, METRICS, runColumns } from "./run-data.ts";
import { untilQuiet } from "./store-state.ts";

/** Steps of the run that pages and queries are measured on; fewer only to try the bench itself. */
export const LONG_STEPS = Number(process.env["TRAINWATCH_BENCH_STEPS"] ?? 1_000_000);
/** Where the seeded database stays for the next bench; it is made anew each time where this is not set. */
export function keptFolder(): { readonly dataDir?: string } {
  const dataDir = process.env["TRAINWATCH_BENCH_DATA"];
  return dataDir === undefined ? {} : { dataDir };
}

/** No power of two: rows must not come in as large as the packing makes them. */
const STEPS_A_PUSH = 1_000;
/** The newest steps come as from a run that is live. */
const LIVE_STEPS = 500;
const STEPS_A_LIVE_PUSH = 10;
const CHECKPOINT_EVERY = 5_000;
const RUN = { project: "bench", name: "long-run" };
const TOLD_EVERY = 100_000;

/**
 * Puts the long run into the server's database by the verb `ingest.push` itself, past HTTP only, while the server's workers pack and
 * judge it as they would. Nothing is done where it is there already.
 * @returns its id.
 */
export async function seedLongRun({ databaseUrl, pool }: BenchServer): Promise<number> {
  const store = await openStore({ url: databaseUrl });
  try {
    const known = await pool.query<{ id: number; lastStep: number | null }>(
      'SELECT id, last_step AS "lastStep" FROM run WHERE project = $1 AND name = $2',
      [RUN.project, RUN.name],
    );
    const [before] = known.rows;
    if (before !== undefined && before.lastStep === LONG_STEPS) return before.id;
    const verbs = createCaller({
      store,
      now: Date.now,
      actor: LOCAL_ACTOR,
      requestId: "bench",
      moves: createMoveHub(),
      signals: createSignalCache(Date.now),
      comparisons: createComparisons(),
      fleetIngest: createFleetIngest(store, Date.now),
      fleetViews: createFleetViews(store, Date.now),
      server: { version: "bench", demo: false },
    });
    let runId = 0;
    let seq = 0;
    for (const [from, to] of stretches()) {
      const answer = await verbs.ingest.push(pushOf(seq++, from, to));
      if (answer.accepted !== (to - from) * METRICS.length)
        throw new Error(`of ${(to - from) * METRICS.length} samples ${answer.accepted} were accepted`);
      runId = answer.runId;
      if (to % TOLD_EVERY === 0) console.error(`seeded ${to} of ${LONG_STEPS} steps`);
    }
    await untilQuiet(pool);
    return runId;
  } finally {
    await store.close();
  }
}

function* stretches(): Generator<[from: number, to: number]> {
  const live = LONG_STEPS - LIVE_STEPS;
  for (let from = 0; from < live; from += STEPS_A_PUSH) yield [from, Math.min(live, from + STEPS_A_PUSH)];
  for (let from = live; from < LONG_STEPS; from += STEPS_A_LIVE_PUSH) yield [from, Math.min(LONG_STEPS, from + STEPS_A_LIVE_PUSH)];
}

function pushOf(seq: number, from: number, to: number): PushInput {
  const { step, timeMs, values } = runColumns(from, to);
  const [steps, times] = [[...step], [...timeMs]];
  const saved = steps.filter((each) => each % CHECKPOINT_EVERY === 0);
  return {
    source: "long-run",
    seq,
    run: RUN,
    metadata: { gpus: 1024, targetSteps: LONG_STEPS, checkpointEvery: CHECKPOINT_EVERY },
    series: METRICS.map((metric) => ({ metric })),
    columns: values.map((column, series) => ({ series, step: steps, time: times, value: [...column] })),
    checkpoints: saved.map((each) => ({
      step: each,
      kind: "model",
      path: `/ckpt/${each}`,
      state: "verified",
      reason: null,
      savedAtMs: times[each - from - FIRST_STEP] ?? null,
    })),
  };
}
