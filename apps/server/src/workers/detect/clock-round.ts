import { rulesInForce, type FleetViews } from "@trainwatch/api";
import type { Lease, RunSigns, Store } from "@trainwatch/store";
import { clockStep, type ClockResult } from "./clock-step.ts";
import { isStoreDue, storeStates, type WatchedRun } from "./detect-step.ts";
import { resumeRun } from "./restore-run.ts";

/** Live runs that are told the time in one round, in turn where there are more. */
const RUNS_A_ROUND = 256;

export interface ClockRound {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: Lease;
  readonly now: () => number;
  readonly held: (runId: number) => WatchedRun | null;
  /** Whether a run may be tried now. */
  readonly isDue: (runId: number) => boolean;
  /** Does one run's part, and keeps what it answers. */
  readonly act: (runId: number, ask: () => Promise<ClockResult>) => Promise<void>;
}

/** Tells the detectors of every live run what time it is, and stores the states of wide runs that have waited. */
export async function clockRound({ store, views, lease, now, held, isDue, act }: ClockRound): Promise<void> {
  const live = await store.records.runs.signs();
  const from = live.length <= RUNS_A_ROUND ? 0 : Math.floor(now() / 1_000) % live.length;
  const turn = [...live.slice(from), ...live.slice(0, from)].slice(0, RUNS_A_ROUND);
  for (const signs of turn) {
    if (!isDue(signs.id)) continue;
    const known = held(signs.id) ?? (await resumeLive(store, views, signs, now()));
    // Nothing of it has been judged yet: its first samples come first.
    if (known === null) continue;
    await act(signs.id, async () => {
      const told = await clockStep({ store, views, lease, signs, held: known, nowMs: now() });
      if (!isStoreDue(told.next, now())) return told;
      return { ...told, next: await storeStates(store.records, lease, signs.id, told.next, now()) };
    });
  }
}

async function resumeLive(store: Store, views: FleetViews, { id, fullName }: RunSigns, nowMs: number): Promise<WatchedRun | null> {
  const { records } = store;
  const relabels = await records.cursors.relabels(id);
  const facts = await records.runs.facts(id);
  if (relabels === null || facts === null) return null;
  const { parameters, metricRules } = rulesInForce(await records.rules.list(), { runId: id, cluster: facts.metadata.cluster, nowMs });
  const order = (await records.runs.attempts(id)).map(({ name }) => name);
  return resumeRun({
    store,
    views,
    run: { runId: id, fullName, relabels },
    tuning: { parameters, metricRules },
    order,
    atMs: facts.lastSampleAtMs ?? nowMs,
  });
}
