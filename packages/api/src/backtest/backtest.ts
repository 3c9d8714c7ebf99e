import { ruleSchema, type BacktestView, type Rule } from "@trainwatch/core";
import type { RunFacts, Store } from "@trainwatch/store";
import { z } from "zod";
import type { FleetViews } from "../fleet/fleet-views-contract.ts";
import { whereaboutsOf } from "../fleet/whereabouts.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { createBudget, type Budget, type BudgetLimits } from "./budget.ts";
import { compare, type Fired, type Recorded } from "./compare.ts";
import { findDetector, type Tried } from "./find-detector.ts";
import { replayClock } from "./replay-clock.ts";
import { replayFleet } from "./replay-fleet.ts";
import { replayRun } from "./replay-run.ts";

const HOUR_MS = 3_600_000;
const MOST_RUNS = 50;
/** So much a person waits for; what is not read by then is told. */
const LIMITS: BudgetLimits = { samples: 5_000_000, firings: 5_000, ms: 25_000 };
const MOST_INCIDENTS = 500;
/** The window on the fleet where none is asked for. */
const DEFAULT_WINDOW_MS = HOUR_MS;

export const backtestInput = z.object({
  /** As it would be stored: a detector with its parameters, or a threshold on a metric. */
  rule: ruleSchema,
  /** Runs to try it on; empty: the newest ones. */
  runIds: z.array(idInput).max(MOST_RUNS).default([]),
  lastRuns: z.number().int().min(1).max(MOST_RUNS).default(10),
  /** Of the fleet; null: the last hour. Epoch ms. */
  window: z
    .object({ fromMs: z.number().nonnegative(), toMs: z.number().nonnegative() })
    .refine(({ fromMs, toMs }) => fromMs < toMs && toMs - fromMs <= 7 * 24 * HOUR_MS, "must be at most 7 days, the end after the beginning")
    .nullable()
    .default(null),
});
export type BacktestRequest = z.output<typeof backtestInput>;

export interface BacktestServices {
  readonly store: Pick<Store, "records" | "samples" | "fleet">;
  readonly views: FleetViews;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: BudgetLimits;
}

/**
 * What a rule would have said of stored data, beside the incidents that stand in the records. It reads what the detectors read and stores nothing; where it would cost too much it stops and says so.
 * @throws AppError `bad-request` for a rule that cannot be tried, `not-found` for an unknown run
 */
export async function backtest(services: BacktestServices, request: BacktestRequest): Promise<BacktestView> {
  const tried = findDetector(request.rule);
  const budget = createBudget(services.limits ?? LIMITS, services.now, services.signal);
  return tried.kind === "fleet" ? ofFleet(services, request, tried, budget) : ofRuns(services, request, tried, budget);
}

function parametersOf(rule: Rule): Readonly<Record<string, Readonly<Record<string, number>>>> {
  return rule.kind === "metric" ? {} : { [rule.detector]: rule.parameters };
}

async function ofRuns(
  { store, views }: BacktestServices,
  { rule, runIds, lastRuns }: BacktestRequest,
  tried: Exclude<Tried, { kind: "fleet" }>,
  budget: Budget,
): Promise<BacktestView> {
  const runs = await chosenRuns(store, runIds, lastRuns);
  const fired: Fired[] = [];
  const recorded: Recorded[] = [];
  const read: { runId: number; run: string; samples: number }[] = [];
  const caveats: string[] = [];
  let samples = 0;
  let cut: string | null = null;
  for (const [index, run] of runs.entries()) {
    const asked = { store, views, parameters: parametersOf(rule), run, budget, before: { samples, firings: fired.length } };
    const replay =
      tried.kind === "clock"
        ? await replayClock({ ...asked, entry: tried.entry })
        : { ...(await replayRun({ ...asked, tried })), caveats: [] };
    caveats.push(...replay.caveats);
    samples += replay.samples;
    read.push({ runId: run.id, run: run.fullName, samples: replay.samples });
    fired.push(...replay.findings.map((finding) => ({ finding, run: { id: run.id, name: run.fullName, logEvery: run.logEvery } })));
    const incidents = await recordedOf(
      store,
      (await store.records.incidents.ofRun(run.id)).flatMap(({ id }) => id ?? []),
    );
    // What lies beyond what was read could not be found.
    recorded.push(...incidents.filter(({ stored }) => (stored.onsetStep ?? 0) <= replay.untilStep));
    if (replay.cut === null) continue;
    const left = runs.length - index - 1;
    cut = `Stopped in ${run.fullName}: ${replay.cut}.${left === 0 ? "" : ` ${left} more ${left === 1 ? "run was" : "runs were"} not read.`}`;
    break;
  }
  return {
    detector: tried.entry.id,
    family: tried.family,
    ...compare(fired, recorded, tried.entry.id),
    read: { runs: read, samples, ticks: 0, fromMs: null, toMs: null },
    caveats,
    cut,
  };
}

async function chosenRuns(store: BacktestServices["store"], runIds: readonly number[], lastRuns: number): Promise<readonly RunFacts[]> {
  const { runs } = store.records;
  const newest = async (): Promise<readonly number[]> =>
    (await runs.list({ search: "", states: [], archived: false, limit: lastRuns, cursor: null })).items.map(({ id }) => id);
  const ids = runIds.length > 0 ? [...new Set(runIds)] : await newest();
  const facts: RunFacts[] = [];
  for (const id of ids) facts.push(required(await runs.facts(id), "run", id));
  return facts;
}

async function ofFleet(
  { store, views, now }: BacktestServices,
  { rule, window }: BacktestRequest,
  tried: Extract<Tried, { kind: "fleet" }>,
  budget: Budget,
): Promise<BacktestView> {
  const toMs = window?.toMs ?? now();
  const fromMs = window?.fromMs ?? toMs - DEFAULT_WINDOW_MS;
  const replay = await replayFleet({ store, views, entry: tried.entry, parameters: parametersOf(rule), fromMs, toMs, budget });
  const fired: Fired[] = [];
  for (const finding of replay.findings) {
    const layout = await views.layout(finding.onsetTimeMs ?? finding.detectedTimeMs ?? toMs);
    const { runIds, place } = whereaboutsOf(layout, finding.subject);
    const run = layout.runs.find(({ id }) => id === runIds.at(-1));
    const placed = { ...finding, place: finding.place ?? place };
    fired.push({ finding: placed, run: run === undefined ? null : { ...run, logEvery: null } });
  }
  const ids = await store.records.causes.incidentsBetween(fromMs, replay.untilMs, MOST_INCIDENTS);
  const recorded = await recordedOf(store, ids);
  return {
    detector: tried.entry.id,
    family: tried.family,
    ...compare(fired, recorded, tried.entry.id),
    read: { runs: [], samples: replay.samples, ticks: replay.ticks, fromMs, toMs: replay.untilMs },
    caveats: replay.bursts === 0 ? [] : ["Bursts of events are told as they ended: how they grew is not stored."],
    cut: replay.cut === null ? null : `Stopped ${Math.round((toMs - replay.untilMs) / 60_000)} min before the end: ${replay.cut}.`,
  };
}

async function recordedOf({ records }: BacktestServices["store"], ids: readonly number[]): Promise<readonly Recorded[]> {
  const found: Recorded[] = [];
  for (const id of ids.slice(-MOST_INCIDENTS)) {
    const [stored, incident] = [await records.incidents.get(id), await records.incidents.find(id)];
    if (stored !== null && incident !== null) found.push({ stored, incident });
  }
  return found;
}
