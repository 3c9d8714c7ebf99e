import type { FleetViews } from "@trainwatch/api";
import { CLOCK_DETECTORS, FLEET_DETECTORS } from "@trainwatch/detect";
import type { Lease, PendingRun, RunCursor, Store } from "@trainwatch/store";
import { demand, RunMoved } from "./demand.ts";
import type { WatchedRun } from "./watched-run.ts";
import { placeRanks } from "./place-ranks.ts";
import { newRunWatch, resumeRunWatch, type RunWatch, type Tuning } from "./run-watch.ts";
import { watched } from "./what-is-read.ts";

export interface RestoreRequest {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: Lease;
  readonly run: Pick<PendingRun, "runId" | "fullName" | "relabels">;
  readonly tuning: Tuning;
  /** Attempts in the order of their launch. */
  readonly order: readonly string[];
  /** Of the newest sample, epoch ms: where the ranks are is asked as at then. */
  readonly atMs: number;
}

/** Read anew, a run's samples do not bring these back. */
const NOT_FROM_SAMPLES = [...CLOCK_DETECTORS, ...FLEET_DETECTORS].map(({ id }) => id);

/** Samples read again at a time. */
const AGAIN_SAMPLES = 131_072;

/** What was stored of a run, or a fresh start where it cannot be gone on from: points have moved between attempts, or the detectors are of other versions. */
export async function restoreRun(request: RestoreRequest): Promise<WatchedRun> {
  const { store, lease, run, tuning, order } = request;
  const { runId, fullName, relabels } = run;
  const resumed = await resumeRun(request);
  if (resumed !== null) return resumed;
  await store.records.transaction(async (tx) => {
    await demand(tx, lease);
    await tx.cursors.reset(runId);
    await tx.findings.markUnproven(runId, NOT_FROM_SAMPLES);
  });
  const start = { arrival: 0, offset: 0 };
  const cursor = { ...start, relabels, metrics: null, state: { ...start, ahead: 0 } };
  return {
    watch: newRunWatch(fullName, tuning),
    cursor,
    newest: order.at(-1) ?? null,
    reviewed: new Map(),
    storedAtMs: Number.NEGATIVE_INFINITY,
  };
}

/** Null where it cannot be gone on from what is stored. */
export async function resumeRun({ store, views, run, tuning, order, atMs }: Omit<RestoreRequest, "lease">): Promise<WatchedRun | null> {
  const { runId, fullName, relabels } = run;
  const cursor = await store.records.cursors.get(runId);
  if (cursor === null || cursor.relabels !== relabels) return null;
  const watch = resumeRunWatch(fullName, tuning, await store.records.cursors.states(runId));
  if (watch === null) return null;
  await placeRanks(views, runId, watch, order.at(-1) ?? null, atMs);
  await readAgain(store, runId, watch, cursor);
  return { watch, cursor, newest: order.at(-1) ?? null, reviewed: new Map(), storedAtMs: Number.NEGATIVE_INFINITY };
}

/** The samples between the stored states and the cursor: what is found in them was told before. */
async function readAgain(store: Store, runId: number, watch: RunWatch, { state, metrics }: RunCursor): Promise<void> {
  let after = { arrival: state.arrival, offset: state.offset };
  for (let left = state.ahead; left > 0;) {
    const read = await store.samples.readSince({ runId, after, metrics: metrics ?? [], limit: Math.min(left, AGAIN_SAMPLES) });
    if (read === null) throw new RunMoved(`run ${runId} is gone`);
    if (read.samples.length === 0 && !read.more) throw new RunMoved(`samples of run ${runId} that were read before are gone`);
    watch.observe(read.samples.flatMap(watched));
    left -= read.samples.length;
    after = read.next;
  }
}
