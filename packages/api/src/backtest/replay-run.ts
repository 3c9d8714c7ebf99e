import type { Finding } from "@trainwatch/core";
import { createRankMean, monitorOf, newWatch, type MonitorContext, type RankSample } from "@trainwatch/detect";
import { createPace, type RunFacts, type Store } from "@trainwatch/store";
import type { FleetViews } from "../fleet/fleet-views-contract.ts";
import { placementsAt } from "../fleet/placements-at.ts";
import type { Budget } from "./budget.ts";
import type { Tried } from "./find-detector.ts";
import { stretches } from "./stretches.ts";

const BATCH_SAMPLES = 20_000;

export interface RunReplay {
  /** By id, each as it stood at the end. */
  readonly findings: readonly Finding[];
  readonly samples: number;
  /** Largest step that was read; infinite where all was. */
  readonly untilStep: number;
  /** Why it was not read to its end. */
  readonly cut: string | null;
}

export interface RunReplayRequest {
  readonly store: Pick<Store, "records" | "samples">;
  readonly views: FleetViews;
  readonly tried: Exclude<Tried, { kind: "fleet" | "clock" }>;
  readonly parameters: NonNullable<MonitorContext["parameters"]>;
  readonly run: RunFacts;
  readonly budget: Budget;
  /** What other runs have used up of the budget. */
  readonly before: { readonly samples: number; readonly firings: number };
}

/** Reads a run's samples in the order in which they came, as the detect worker did, and lets one detector speak. Nothing is stored. */
export async function replayRun({ store, views, tried, parameters, run, budget, before }: RunReplayRequest): Promise<RunReplay> {
  const attempts = new Map<string, Judge>();
  const judgeOf = async (attempt: string): Promise<Judge> => {
    const held = attempts.get(attempt);
    if (held !== undefined) return held;
    const made = await createJudge(tried, { run: run.fullName, attempt, parameters }, run, views);
    attempts.set(attempt, made);
    return made;
  };
  const found = new Map<string, Finding>();
  const take = (findings: readonly Finding[]): void => {
    for (const finding of findings) found.set(finding.id, finding);
  };
  const pace = createPace();
  let after = { arrival: 0, offset: 0 };
  let samples = 0;
  let untilStep = Number.NEGATIVE_INFINITY;
  for (;;) {
    const cut = budget.spent(before.samples + samples, before.firings + found.size);
    if (cut !== null) return { findings: [...found.values()], samples, untilStep, cut };
    const limit = Math.min(BATCH_SAMPLES, budget.limits.samples - before.samples - samples);
    const read = await store.samples.readSince({ runId: run.id, after, metrics: tried.entry.metrics, limit });
    if (read === null) return { findings: [...found.values()], samples, untilStep, cut: "the run was deleted meanwhile" };
    for (const { attempt, samples: stretch } of stretches(read.samples)) {
      await pace.rest();
      take((await judgeOf(attempt)).observe(stretch));
      untilStep = stretch.reduce((most, { step }) => Math.max(most, step), untilStep);
    }
    samples += read.samples.length;
    after = read.next;
    if (!read.more) break;
  }
  for (const judge of attempts.values()) take(judge.finish());
  return { findings: [...found.values()], samples, untilStep: Number.POSITIVE_INFINITY, cut: null };
}

interface Judge {
  observe(samples: readonly RankSample[]): readonly Finding[];
  finish(): readonly Finding[];
}

async function createJudge(tried: RunReplayRequest["tried"], context: MonitorContext, run: RunFacts, views: FleetViews): Promise<Judge> {
  if (tried.kind === "series") {
    const mean = createRankMean({});
    const monitor = monitorOf([tried.entry], context);
    return {
      observe: (samples) => monitor.observe(mean.observe(samples)),
      finish: () => [...monitor.observe(mean.open()), ...monitor.finish()],
    };
  }
  const atMs = run.lastSampleAtMs ?? run.createdAtMs;
  const placements = placementsAt(await views.layout(atMs), await views.assignments(), { runId: run.id, attempt: context.attempt }, atMs);
  const watch = newWatch(context, placements);
  const own = (findings: readonly Finding[]): readonly Finding[] => findings.filter(({ detector }) => detector === tried.entry.id);
  return { observe: (samples) => own(watch.observe(samples)), finish: () => own(watch.conclude()) };
}
