import { DETECTORS } from "@trainwatch/detect";
import type { ArrivedSample, Lease, PendingRun, Records, RunCursor, Store } from "@trainwatch/store";
import { foldFindings } from "./fold-findings.ts";
import { reviewAdvice, type ReviewedSteps } from "./review-advice.ts";
import { settleUnproven } from "./settle-unproven.ts";
import { newRunWatch, resumeRunWatch, type RunWatch, type WatchedSample } from "./run-watch.ts";

/** Samples a step: a transaction of well under a second, also where each brings a finding. */
const BATCH_SAMPLES = 20_000;

/** What any detector reads; nothing else is fetched. */
const METRICS = [...new Set([...DETECTORS.flatMap((detector) => detector.metrics), "loss", "step_time"])];

export interface WatchedRun {
  readonly watch: RunWatch;
  readonly cursor: RunCursor;
  readonly reviewed: ReviewedSteps;
}

export interface StepResult {
  /** What to go on with; kept in memory between steps, and worth nothing after a failure. */
  readonly next: WatchedRun;
  readonly hasMore: boolean;
  readonly incidentsChanged: boolean;
}

/** Another process has taken the lease: nothing was written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The run is not what it was when we looked: nothing was written, and it is to be looked at again. */
export class RunMoved extends Error {
  override readonly name = "RunMoved";
}

export interface StepRequest {
  readonly store: Store;
  readonly lease: Lease;
  readonly run: PendingRun;
  /** From the step before; null reads what is stored. */
  readonly held: WatchedRun | null;
  readonly nowMs: number;
}

/**
 * Reads one batch of a run, judges it and stores cursor, states, findings and incidents in one transaction. A crash at any point leaves
 * the step undone or done, so that going on equals never having stopped.
 * @throws LeaseLost, RunMoved, IncidentMoved: nothing was stored; `held` must be thrown away
 */
export async function detectStep({ store, lease, run, held, nowMs }: StepRequest): Promise<StepResult> {
  const { runId, fullName, relabels, ended } = run;
  const from = held !== null && held.cursor.relabels === relabels ? held : await restore(store.records, lease, run);
  const { watch, reviewed } = from;
  const read = await store.samples.readSince({ runId, after: from.cursor, metrics: METRICS, limit: BATCH_SAMPLES });
  if (read === null) throw new RunMoved(`run ${runId} is gone`);
  const cursor = { ...read.next, relabels };
  const attempts = await store.records.runs.attempts(runId);
  const order = attempts.map(({ name }) => name);
  const logEveryOf = (attempt: string): number => watch.judged(attempt)?.logEvery ?? 1;
  const lastStepOf = (attempt: string): number | null => attempts.find(({ name }) => name === attempt)?.lastStep ?? null;

  const findings = [...watch.observe(read.samples.flatMap(watched)), ...(read.more ? [] : watch.conclude({ order, ended }))];
  const states = watch.takeStates();
  const judged = watch.judged(order.at(-1) ?? null);

  const touched = await store.records.transaction(async (records) => {
    await demand(records, lease);
    // Points that moved between our look at the run and our reading would have been judged in the wrong attempt.
    if ((await records.cursors.relabels(runId)) !== relabels) throw new RunMoved(`points of run ${runId} have moved meanwhile`);
    await records.cursors.put(runId, cursor, nowMs);
    for (const state of states) await records.cursors.putState(runId, state);
    if (judged !== null) await records.runs.setJudged(runId, judged);
    const folded = await foldFindings(records, { runId, run: fullName, findings, logEveryOf, nowMs });
    if (read.more) return folded;
    const settled = await settleUnproven(records, runId, nowMs);
    const renewed = await reviewAdvice(records, { runId, lastStepOf, logEveryOf, reviewed, nowMs });
    return new Set([...folded, ...settled, ...renewed]);
  });
  return { next: { watch, cursor, reviewed }, hasMore: read.more, incidentsChanged: touched.size > 0 };
}

/** Every transaction that writes begins with it. */
async function demand(records: Records, lease: Lease): Promise<void> {
  if (!(await records.leases.holds(lease))) throw new LeaseLost(`lease ${lease.name} is held by another process`);
}

/** Detectors judge the run's own line and its ranks; evaluations, other splits and second writers carry labels and are left out. */
function watched({ labels, ...sample }: ArrivedSample): WatchedSample[] {
  const { rank = null, ...others } = labels;
  return Object.keys(others).length > 0 ? [] : [{ ...sample, rank }];
}

/** What was stored of a run, or a fresh start where it cannot be gone on from: points have moved between attempts, or the detectors are of other versions. */
async function restore(records: Records, lease: Lease, { runId, fullName, relabels }: PendingRun): Promise<WatchedRun> {
  const cursor = await records.cursors.get(runId);
  if (cursor !== null && cursor.relabels === relabels) {
    const watch = resumeRunWatch(fullName, await records.cursors.states(runId));
    if (watch !== null) return { watch, cursor, reviewed: new Map() };
  }
  await records.transaction(async (tx) => {
    await demand(tx, lease);
    await tx.cursors.reset(runId);
    await tx.findings.markUnproven(runId);
  });
  return { watch: newRunWatch(fullName), cursor: { arrival: 0, offset: 0, relabels }, reviewed: new Map() };
}
