import { endedFacts, rulesInForce, type FleetViews } from "@trainwatch/api";
import type { Finding } from "@trainwatch/core";
import type { ClockFacts } from "@trainwatch/detect";
import type { Judged, Lease, PendingRun, Records, RunCursor, Store } from "@trainwatch/store";
import { foldFindings } from "../fold/fold-findings.ts";
import type { FindingRun, PlacedFinding } from "../fold/placed-finding.ts";
import { placeRankFinding } from "../fold/place-rank-finding.ts";
import { demand, RunMoved } from "./demand.ts";
import { placeRanks } from "./place-ranks.ts";
import { restoreRun } from "./restore-run.ts";
import { reviewAdvice } from "./review-advice.ts";
import { settleUnproven } from "./settle-unproven.ts";
import type { RunWatch, Tuning } from "./run-watch.ts";
import type { WatchedRun } from "./watched-run.ts";
import { batchSamples, metricsOf, watched } from "./what-is-read.ts";

/**
 * States of a run with few ranks are stored with every step. Those of a wide one are large (0.3 MB as text at 1,024 ranks of 6 metrics, 1.7 MB at 4,096: `npm run bench -- detect-state`):
 * they and what the run's row says of its pace are stored when so much time has passed, and in between only the cursor moves, with the number of samples that it is ahead of them. What the detectors said of these was
 * folded in the same transactions, so that whoever resumes reads them again in silence: nothing is told twice, and nothing is left out.
 */
const WIDE_RANKS = 64;
const STORE_EVERY_MS = 5_000;

export interface StepResult {
  /** What to go on with; kept in memory between steps, and worth nothing after a failure. */
  readonly next: WatchedRun;
  readonly hasMore: boolean;
  readonly incidentsChanged: boolean;
}

export interface StepRequest {
  readonly store: Store;
  readonly views: FleetViews;
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
export async function detectStep({ store, views, lease, run, held, nowMs }: StepRequest): Promise<StepResult> {
  const { records } = store;
  const { runId, fullName, relabels, ended } = run;
  const [facts, attempts, rules] = await Promise.all([records.runs.facts(runId), records.runs.attempts(runId), records.rules.list()]);
  if (facts === null) throw new RunMoved(`run ${runId} is gone`);
  const order = attempts.map(({ name }) => name);
  const { cluster } = facts.metadata;
  const inForce = rulesInForce(rules, { runId, cluster, nowMs });
  const atMs = facts.lastSampleAtMs ?? nowMs;
  const tuning: Tuning = { parameters: inForce.parameters, metricRules: inForce.metricRules };

  const from =
    held !== null && held.cursor.relabels === relabels ? held : await restoreRun({ store, views, lease, run, tuning, order, atMs });
  const { watch, reviewed } = from;
  const isTuned = watch.tune(tuning);
  const isPlaced = await placeRanks(views, runId, watch, order.at(-1) ?? null, atMs);
  const metrics = metricsOf(from.cursor, watch);
  const isWidened = JSON.stringify(metrics) !== JSON.stringify(from.cursor.metrics);

  const read = await store.samples.readSince({ runId, after: from.cursor, metrics, limit: batchSamples(watch) });
  if (read === null) throw new RunMoved(`run ${runId} is gone`);
  const logEveryOf = (attempt: string): number => watch.judged(attempt)?.logEvery ?? 1;
  const lastStepOf = (attempt: string): number | null => attempts.find(({ name }) => name === attempt)?.lastStep ?? null;

  const retired = watch.takeRetired();
  const found: Finding[] = [...retired, ...watch.observe(read.samples.flatMap(watched))];
  const factsOf = (attempt: string): ClockFacts => endedFacts(facts, lastStepOf(attempt), nowMs);
  const concluded = read.more ? null : watch.conclude({ order, ended, factsOf });
  found.push(...(concluded ?? []));
  const isDue = nowMs - from.storedAtMs >= STORE_EVERY_MS || nowMs < from.storedAtMs;
  const isStored = watch.ranks() < WIDE_RANKS || isDue || isTuned || isPlaced || isWidened || retired.length > 0 || concluded !== null;
  const cursor = movedTo(from.cursor, { ...read.next, metrics, isStored, samples: read.samples.length });
  const states = isStored ? watch.takeStates() : [];
  const newest = order.at(-1) ?? null;
  const judged = watch.judged(newest);
  const findings = placed(found, watch, { id: runId, fullName, cluster });

  const touched = await records.transaction(async (tx) => {
    await demand(tx, lease);
    // Points that moved between our look at the run and our reading would have been judged in the wrong attempt.
    if ((await tx.cursors.relabels(runId)) !== relabels) throw new RunMoved(`points of run ${runId} have moved meanwhile`);
    await tx.cursors.put(runId, cursor, nowMs);
    for (const state of states) await tx.cursors.putState(runId, state);
    if (judged !== null && isStored && !isTold(judged, facts)) await tx.runs.setJudged(runId, judged);
    const folded = await foldFindings(tx, { findings, rulesFor: () => inForce, logEveryOf, nowMs });
    if (read.more) return folded;
    const settled = await settleUnproven(tx, runId, nowMs);
    const renewed = await reviewAdvice(tx, { runId, lastStepOf, logEveryOf, reviewed, weighed: folded, nowMs });
    return new Set([...folded, ...settled, ...renewed]);
  });
  const next = { watch, cursor, newest, reviewed, storedAtMs: isStored ? nowMs : from.storedAtMs };
  return { next, hasMore: read.more, incidentsChanged: touched.size > 0 };
}

interface Move {
  readonly arrival: number;
  readonly offset: number;
  readonly metrics: readonly string[];
  readonly isStored: boolean;
  readonly samples: number;
}

function movedTo({ relabels, state }: RunCursor, { arrival, offset, metrics, isStored, samples }: Move): RunCursor {
  const at = { arrival, offset, relabels, metrics };
  return { ...at, state: isStored ? { arrival, offset, ahead: 0 } : { ...state, ahead: state.ahead + samples } };
}

/** The run's row says it already: pushes to the run wait for whoever writes that row, and it for them. */
function isTold({ stepTimeS, logEvery, watched }: Judged, row: Judged): boolean {
  return row.stepTimeS === stepTimeS && row.logEvery === logEvery && row.watched === watched;
}

export function placed(findings: readonly Finding[], watch: RunWatch, run: FindingRun): readonly PlacedFinding[] {
  return findings.map((finding) => placeRankFinding(finding, run, watch.placements(finding.attempt)));
}

/** Whether states have waited long enough to be stored though nothing more has come. */
export function isStoreDue({ cursor, storedAtMs }: WatchedRun, nowMs: number): boolean {
  return cursor.state.ahead > 0 && nowMs - storedAtMs >= STORE_EVERY_MS;
}

/** Stores the states of a wide run that has fallen quiet, so that little is read again after a restart. */
export async function storeStates(records: Records, lease: Lease, runId: number, held: WatchedRun, nowMs: number): Promise<WatchedRun> {
  const { arrival, offset } = held.cursor;
  const cursor = { ...held.cursor, state: { arrival, offset, ahead: 0 } };
  const states = held.watch.takeStates();
  const judged = held.watch.judged(held.newest);
  await records.transaction(async (tx) => {
    await demand(tx, lease);
    if ((await tx.cursors.relabels(runId)) !== cursor.relabels) throw new RunMoved(`points of run ${runId} have moved meanwhile`);
    await tx.cursors.put(runId, cursor, nowMs);
    for (const state of states) await tx.cursors.putState(runId, state);
    if (judged !== null) await tx.runs.setJudged(runId, judged);
  });
  return { ...held, cursor, storedAtMs: nowMs };
}
