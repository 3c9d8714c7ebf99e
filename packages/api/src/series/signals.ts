import type { RunSummary, SeriesWindow, Sparkline } from "@trainwatch/core";
import type { Store, StoredIncident } from "@trainwatch/store";

const POINTS = 64;
/** Steps before the onset, as a share of what came after it: enough to see what it was like before. */
const LEAD_SHARE = 0.5;
const LEAST_LEAD = 64;
const NO_SIGNAL: Sparkline = { values: [] };

/** A tiny line of the loss of each run, whole. */
export function runSignals(store: Store, runs: readonly Pick<RunSummary, "id">[]): Promise<readonly Sparkline[]> {
  return inTurn(runs, ({ id }) => store.samples.sparkline(id, "loss"));
}

/** A tiny line of what each incident is about, from a little before its onset to where it ended or now stands. */
export function incidentSignals(store: Store, incidents: readonly StoredIncident[]): Promise<readonly Sparkline[]> {
  return inTurn(incidents, ({ run, metric, attempt, onsetStep, endStep, attemptLastStep }) => {
    const last = endStep ?? attemptLastStep;
    const lead = onsetStep === null ? 0 : Math.max(LEAST_LEAD, LEAD_SHARE * ((last ?? onsetStep) - onsetStep));
    const from = onsetStep === null ? null : Math.max(0, Math.floor(onsetStep - lead));
    const to = last === null || onsetStep === null ? null : Math.max(last, onsetStep + LEAST_LEAD);
    return store.samples.window({ runId: run.id, metrics: [metric], axis: "step", buckets: POINTS, attempts: [attempt], from, to }).then(sparkline);
  });
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
