import { canonicalMetric } from "@trainwatch/core";

/** Names under which tools write the step, the most trusted first; compared in lower case. */
const STEP_NAMES = [
  "step",
  "_step",
  "global_step",
  "global step",
  "trainer/global_step",
  "train/global_step",
  "current_steps",
  "optimizer_step",
  "train_step",
  "training_step",
  "iteration",
  "iter",
  "iterations",
  "training/iteration",
  "it",
  "num_updates",
  "update",
  "updates",
  "batch",
  "episode",
  "epoch",
] as const;

/** Counters of samples instead of optimizer steps. */
const SAMPLE_NAMES = ["consumed_samples", "samples_consumed", "samples_seen", "num_samples", "samples"] as const;

/** Names under which tools write a wall time. */
const TIME_NAMES = [
  "timestamp",
  "_timestamp",
  "wall_time",
  "walltime",
  "wall time",
  "datetime",
  "date_time",
  "created_at",
  "time",
  "date",
  "ts",
] as const;

/** Columns that tell rows apart, with the label they become. */
const LABEL_NAMES: ReadonlyMap<string, string> = new Map([
  ["rank", "rank"],
  ["global_rank", "rank"],
  ["phase", "phase"],
  ["split", "phase"],
  ["subset", "phase"],
  ["stage", "phase"],
  ["mode", "phase"],
  ["run", "run"],
  ["run_id", "run"],
  ["run_name", "run"],
]);

export interface StepColumn {
  readonly name: string;
  readonly unit: "optimizer-steps" | "samples";
}

/** The step column among these names; `wanted` (from the user, by source or canonical name) goes before all. */
export function findStepColumn(names: readonly string[], wanted: string | undefined): StepColumn | undefined {
  if (wanted !== undefined) {
    const name = namedColumn(names, wanted);
    return name === undefined ? undefined : { name, unit: isSampleCounter(name) ? "samples" : "optimizer-steps" };
  }
  const step = firstOf(names, STEP_NAMES);
  if (step !== undefined) return { name: step, unit: "optimizer-steps" };
  const samples = firstOf(names, SAMPLE_NAMES);
  return samples === undefined ? undefined : { name: samples, unit: "samples" };
}

/** Columns that may hold a wall time, best first; whether one does shows in its values. */
export function timeColumns(names: readonly string[], wanted: string | undefined): readonly string[] {
  if (wanted !== undefined) {
    const name = namedColumn(names, wanted);
    return name === undefined ? [] : [name];
  }
  return TIME_NAMES.flatMap((known) => names.filter((name) => name.trim().toLowerCase() === known));
}

/** The label that a column's text becomes; undefined for ordinary columns. */
export function labelOf(name: string): string | undefined {
  return LABEL_NAMES.get(name.trim().toLowerCase());
}

function namedColumn(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name === wanted) ?? names.find((name) => canonicalMetric(name) === wanted);
}

function firstOf(names: readonly string[], known: readonly string[]): string | undefined {
  const byLower = new Map(names.map((name) => [name.trim().toLowerCase(), name]));
  for (const name of known) {
    const found = byLower.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSampleCounter(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return SAMPLE_NAMES.some((known) => known === lower);
}
