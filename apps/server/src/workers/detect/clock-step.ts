import { clockFacts, NEWEST_MARKS, rulesInForce, STILL_MS, trafficShare, type FleetViews } from "@trainwatch/api";
import type { Lease, RunSigns, Store } from "@trainwatch/store";
import { foldFindings } from "../fold/fold-findings.ts";
import { demand, RunMoved } from "./demand.ts";
import { placed } from "./detect-step.ts";
import type { WatchedRun } from "./watched-run.ts";

export interface ClockRequest {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: Lease;
  readonly signs: RunSigns;
  readonly held: WatchedRun;
  readonly nowMs: number;
}

export interface ClockResult {
  readonly next: WatchedRun;
  readonly incidentsChanged: boolean;
}

/**
 * Tells a run's detectors what time it is, for what can only be told by the clock. Where they find something, it is stored with the state that found it in one transaction, so
 * that after a restart it is not found again.
 * @throws LeaseLost, RunMoved, IncidentMoved: nothing was stored; `held` must be thrown away
 */
export async function clockStep({ store, views, lease, signs, held, nowMs }: ClockRequest): Promise<ClockResult> {
  const { records } = store;
  const { id: runId, attempt } = signs;
  const { watch, cursor } = held;
  const unchanged = { next: held, incidentsChanged: false };
  if (attempt === null) return unchanged;
  const [facts, { items: checkpoints }, { items: notes }] = await Promise.all([
    records.runs.facts(runId),
    records.runs.checkpoints(runId, { nearStep: null, limit: NEWEST_MARKS }),
    records.runs.notes(runId, NEWEST_MARKS),
  ]);
  if (facts === null) throw new RunMoved(`run ${runId} is gone`);
  const isStill = signs.stepMovedAtMs !== null && nowMs - signs.stepMovedAtMs > STILL_MS;
  const share = isStill ? await trafficShare(store.fleet.reader, views, runId, nowMs) : null;
  const found = watch.clock(attempt, clockFacts({ signs, facts, checkpoints, notes, trafficShare: share, nowMs }));
  if (found.length === 0) return unchanged;

  const { cluster } = facts.metadata;
  const inForce = rulesInForce(await records.rules.list(), { runId, cluster, nowMs });
  const findings = placed(found, watch, { id: runId, fullName: facts.fullName, cluster });
  const states = watch.takeStates();
  const judged = watch.judged(held.newest);
  const stored = { ...cursor, state: { arrival: cursor.arrival, offset: cursor.offset, ahead: 0 } };
  const touched = await records.transaction(async (tx) => {
    await demand(tx, lease);
    if ((await tx.cursors.relabels(runId)) !== cursor.relabels) throw new RunMoved(`points of run ${runId} have moved meanwhile`);
    await tx.cursors.put(runId, stored, nowMs);
    for (const state of states) await tx.cursors.putState(runId, state);
    if (judged !== null) await tx.runs.setJudged(runId, judged);
    const logEveryOf = (name: string): number => watch.judged(name)?.logEvery ?? 1;
    return foldFindings(tx, { findings, rulesFor: () => inForce, logEveryOf, nowMs });
  });
  return { next: { ...held, cursor: stored, storedAtMs: nowMs }, incidentsChanged: touched.size > 0 };
}
