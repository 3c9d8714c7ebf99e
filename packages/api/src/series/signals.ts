import type { RunSummary, SeriesWindow, Sparkline } from "@trainwatch/core";
import type { Store, StoredIncident } from "@trainwatch/store";

const POINTS = 64;
/** Steps before the onset, as a share of what came after it: enough to see what it was like before. */
const LEAD_SHARE = 0.5;
const LEAST_LEAD = 64;
const NO_SIGNAL: Sparkline = { values: [] };

interface Question {
  readonly runId: number;
  readonly metric: string;
  readonly attempts: "effective" | readonly string[];
  readonly from: number | null;
  readonly to: number | null;
}

/** A tiny line of the loss of each run, whole. */
export function runSignals(store: Store, runs: readonly Pick<RunSummary, "id">[]): Promise<readonly Sparkline[]> {
  return inTurn(runs, ({ id }) => signal(store, { runId: id, metric: "loss", attempts: "effective", from: null, to: null }));
}

/** A tiny line of what each incident is about, from a little before its onset to where it ended or now stands. */
export function incidentSignals(store: Store, incidents: readonly StoredIncident[]): Promise<readonly Sparkline[]> {
  return inTurn(incidents, ({ run, metric, attempt, onsetStep, endStep, ongoing }) => {
    const last = ongoing ? run.lastStep : endStep;
    const lead = onsetStep === null ? 0 : Math.max(LEAST_LEAD, LEAD_SHARE * ((last ?? onsetStep) - onsetStep));
    const from = onsetStep === null ? null : Math.max(0, Math.floor(onsetStep - lead));
    const to = last === null || onsetStep === null ? null : Math.max(last, onsetStep + LEAST_LEAD);
    return signal(store, { runId: run.id, metric, attempts: [attempt], from, to });
  });
}

/** One after the other: a list of fifty must not take every connection of the pool from those who wait for a chart. */
async function inTurn<T>(items: readonly T[], ask: (item: T) => Promise<Sparkline>): Promise<readonly Sparkline[]> {
  const answers: Sparkline[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}

async function signal(store: Store, { runId, metric, ...question }: Question): Promise<Sparkline> {
  const window = await store.samples.window({ runId, metrics: [metric], axis: "step", buckets: POINTS, ...question });
  return sparkline(window);
}

/** Buckets of the first writer's line, spread over the window: a bucket without a finite point is a gap. */
export function sparkline({ lines, fromStep, toStep }: SeriesWindow): Sparkline {
  const own = lines.filter(({ labels }) => Object.keys(labels).length === 0);
  if (fromStep === null || toStep === null || own.length === 0) return NO_SIGNAL;
  const values = new Array<number | null>(POINTS).fill(null);
  const span = Math.max(1, toStep - fromStep);
  for (const line of own) {
    line.stepFirst.forEach((step, index) => {
      const at = Math.min(POINTS - 1, Math.max(0, Math.floor(((step - fromStep) / span) * POINTS)));
      values[at] = line.mean[index] ?? null;
    });
  }
  return { values };
}
