import { setTimeout as delay } from "node:timers/promises";
import type { FleetLayout } from "@trainwatch/core";
import { type BenchServer, answerIn } from "../speed/bench-server.ts";

/** Somebody who looks at the fleet page: each visit asks what the page asks when it is opened, and a GPU's lines. */
const PAUSE_MS = 500;
const METRICS = [
  "DCGM_FI_DEV_GPU_TEMP",
  "DCGM_FI_DEV_POWER_USAGE",
  "DCGM_FI_PROF_SM_ACTIVE",
  "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
] as const;
const HOUR_MS = 3_600_000;

export interface Visit {
  readonly query: string;
  readonly ms: number;
}

export interface PageReader {
  readonly visits: readonly Visit[];
  /** GPUs that the last frame had a value for, of all that the layout names. */
  seen(): { readonly values: number; readonly gpus: number };
  stop(): Promise<void>;
}

/** @param atMs the time that is looked at: the newest that has been acknowledged */
export function startPageReader(server: BenchServer, atMs: () => number): PageReader {
  const visits: Visit[] = [];
  let isStopped = false;
  let seen = { values: 0, gpus: 0 };
  const timed = async <T>(query: string, input: object): Promise<T> => {
    const started = performance.now();
    const text = await server.ask(query, input);
    visits.push({ query, ms: performance.now() - started });
    return answerIn<T>(text);
  };
  const visit = async (round: number): Promise<void> => {
    const now = atMs();
    const metric = METRICS[round % METRICS.length] ?? METRICS[0];
    const [layout, frame] = await Promise.all([
      timed<FleetLayout>("fleet.layout", { atMs: now }),
      timed<{ readonly values: readonly (number | null)[] }>("fleet.frame", { atMs: now, metric }),
      timed("fleet.timeline", { fromMs: now - HOUR_MS, toMs: now }),
      timed("fleet.events", { toMs: now, limit: 50 }),
    ]);
    seen = { values: frame.values.filter((value) => value !== null).length, gpus: layout.gpu.id.length };
    const gpu = layout.gpu.id[(round * 37) % Math.max(1, layout.gpu.id.length)];
    if (gpu === undefined) return;
    await timed("fleet.window", { metric, fromMs: now - HOUR_MS, toMs: now, buckets: 256, entityIds: [gpu] });
  };
  const reading = (async () => {
    for (let round = 0; !isStopped; round++) {
      await visit(round);
      await delay(PAUSE_MS);
    }
  })();
  return {
    visits,
    seen: () => seen,
    async stop() {
      isStopped = true;
      await reading;
    },
  };
}
