import { rulesInForce, type FleetViews } from "@trainwatch/api";
import type { Lease, RunSigns, Store } from "@trainwatch/store";
import { clockStep, type ClockResult } from "./clock-step.ts";
import { isStoreDue, storeStates } from "./detect-step.ts";
import type { WatchedRun } from "./watched-run.ts";
import { resumeRun } from "./restore-run.ts";

/** Live runs that are told the time in one round, in turn where there are more. */
const RUNS_A_ROUND = 256;

/** Live runs that are still to be told the time of one round. */
export interface ClockTurn {
  /** When the signs were read, epoch ms: what they say is so at that time, and the runs are told no later one. */
  readonly atMs: number;
  readonly runs: readonly RunSigns[];
}

export interface ClockRound {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: Lease;
  readonly turn: ClockTurn;
  /** Whether something else waits: what is left of the turn then comes later. At least one run is told first. */
  readonly mustYield: () => boolean;
  readonly now: () => number;
  readonly held: (runId: number) => WatchedRun | null;
  /** Whether a run may be tried now. */
  readonly isDue: (runId: number) => boolean;
  /** Does one run's part, and keeps what it answers. */
  readonly act: (runId: number, ask: () => Promise<ClockResult>) => Promise<void>;
}

/** The live runs, in turn where there are more than a round takes. */
export async function beginTurn({ records }: Pick<Store, "records">, now: () => number): Promise<ClockTurn> {
  const atMs = now();
  const live = await records.runs.signs();
  const from = live.length <= RUNS_A_ROUND ? 0 : Math.floor(atMs / 1_000) % live.length;
  return { atMs, runs: [...live.slice(from), ...live.slice(0, from)].slice(0, RUNS_A_ROUND) };
}

/**
 * Tells the detectors of live runs what time it is, and stores the states of wide runs that have waited. A hundred live runs take as long as a fault may be away from its
 * incident, so that samples that come in meanwhile need not wait for the last of them.
 * @returns what is left of the turn
 */
export async function clockRound(round: ClockRound): Promise<ClockTurn> {
  const { turn, mustYield } = round;
  let told = 0;
  for (const signs of turn.runs) {
    if (told > 0 && mustYield()) break;
    told++;
    if (round.isDue(signs.id)) await tellTime(round, signs);
  }
  return { ...turn, runs: turn.runs.slice(told) };
}

async function tellTime({ store, views, lease, turn, now, held, act }: ClockRound, signs: RunSigns): Promise<void> {
  const { atMs } = turn;
  const known = held(signs.id) ?? (await resumeLive(store, views, signs, atMs));
  // Nothing of it has been judged yet: its first samples come first.
  if (known === null) return;
  await act(signs.id, async () => {
    const told = await clockStep({ store, views, lease, signs, held: known, nowMs: atMs });
    if (!isStoreDue(told.next, now())) return told;
    return { ...told, next: await storeStates(store.records, lease, signs.id, told.next, now()) };
  });
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
