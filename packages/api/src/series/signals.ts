import type { RunSummary, SeriesWindow, Sparkline } from "@trainwatch/core";
import type { StoredIncident } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";

const POINTS = 64;
/** Steps before the onset, as a share of what came after it: enough to see what it was like before. */
const LEAD_SHARE = 0.5;
const LEAST_LEAD = 64;
const NO_SIGNAL: Sparkline = { values: [] };

type Signals = Pick<ApiContext, "store" | "signals">;

/** A tiny line of the loss of each run, whole. */
export async function runSignals({ store, signals }: Signals, runs: readonly Pick<RunSummary, "id">[]): Promise<readonly Sparkline[]> {
  const versions = await store.records.runs.dataVersions(runs.map(({ id }) => id));
  return inTurn(runs, ({ id }) => signals.get(`${id}@${versions.get(id)}`, () => store.samples.sparkline(id, "loss")));
}

/** A tiny line of what each incident is about, from a little before its onset to where it ended or now stands. */
export async function incidentSignals({ store, signals }: Signals, incidents: readonly StoredIncident[]): Promise<readonly Sparkline[]> {
  const versions = await store.records.runs.dataVersions(incidents.map(({ run }) => run.id));
  return inTurn(incidents, (incident) => {
    const { run, metric, attempt, endStep } = incident;
    const { from, to } = stretchOf(incident);
    // Where the fault has ended the stretch is closed, and what comes in later lies behind it.
    const version = endStep === null ? versions.get(run.id) : "closed";
    const ask = (): Promise<Sparkline> => store.samples.window({ runId: run.id, metrics: [metric], axis: "step", buckets: POINTS, attempts: [attempt], from, to }).then(sparkline);
    return signals.get(`${run.id}@${version} ${metric} ${attempt} ${from} ${to}`, ask);
  });
}

function stretchOf({ onsetStep, endStep, attemptLastStep }: StoredIncident): { readonly from: number | null; readonly to: number | null } {
  const last = endStep ?? attemptLastStep;
  if (onsetStep === null) return { from: null, to: null };
  const lead = Math.max(LEAST_LEAD, LEAD_SHARE * ((last ?? onsetStep) - onsetStep));
  return { from: Math.max(0, Math.floor(onsetStep - lead)), to: last === null ? null : Math.max(last, onsetStep + LEAST_LEAD) };
}

/** One after the other: a list of fifty must not take every connection of the pool from those who wait for a chart. */
async function inTurn<T>(items: readonly T[], ask: (item: T) => Promise<Sparkline>): Promise<readonly Sparkline[]> {
  const answers: Sparkline[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}

/** The run's own line spread over the window, means weighted by their points; a stretch without a finite point is a gap. */
function sparkline({ lines, fromStep, toStep }: SeriesWindow): Sparkline {
  const own = lines.filter(({ labels }) => Object.keys(labels).length === 0);
  if (fromStep === null || toStep === null || own.length === 0) return NO_SIGNAL;
  const span = Math.max(1, toStep - fromStep + 1);
  const sums = new Float64Array(POINTS);
  const weights = new Float64Array(POINTS);
  for (const { stepFirst, mean, count } of own) {
    stepFirst.forEach((step, index) => {
      const at = Math.min(POINTS - 1, Math.max(0, Math.floor(((step - fromStep) / span) * POINTS)));
      const value = mean[index] ?? null;
      if (value === null) return;
      sums[at] = (sums[at] ?? 0) + value * (count[index] ?? 0);
      weights[at] = (weights[at] ?? 0) + (count[index] ?? 0);
    });
  }
  return { values: Array.from(sums, (sum, index) => ((weights[index] ?? 0) === 0 ? null : sum / (weights[index] ?? 1))) };
}
