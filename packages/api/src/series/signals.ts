import type { RunSummary, Sparkline } from "@trainwatch/core";
import type { StoredIncident } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";

/** Steps before the onset, as a share of what came after it: enough to see what it was like before. */
const LEAD_SHARE = 0.5;
const LEAST_LEAD = 64;

type Signals = Pick<ApiContext, "store" | "signals">;

/** A tiny line of the loss of each run, whole. */
export async function runSignals({ store, signals }: Signals, runs: readonly Pick<RunSummary, "id">[]): Promise<readonly Sparkline[]> {
  const versions = await store.records.runs.dataVersions(runs.map(({ id }) => id));
  return inTurn(runs, ({ id }) =>
    signals.get(`${id}@${versions.get(id)}`, () =>
      store.samples.sparkline({ runId: id, metric: "loss", attempts: "effective", from: null, to: null }),
    ),
  );
}

/** A tiny line of what each incident is about, from a little before its onset to where it ended or now stands. */
export async function incidentSignals({ store, signals }: Signals, incidents: readonly StoredIncident[]): Promise<readonly Sparkline[]> {
  const versions = await store.records.runs.dataVersions(incidents.flatMap(({ run }) => run?.id ?? []));
  return inTurn(incidents, (incident) => {
    const { run, metric, attempt, endStep } = incident;
    if (run === null) return Promise.resolve({ values: [] });
    const { from, to } = stretchOf(incident);
    // Where the fault has ended the stretch is closed, and what comes in later lies behind it.
    const version = endStep === null ? versions.get(run.id) : "closed";
    return signals.get(`${run.id}@${version} ${metric} ${attempt} ${from} ${to}`, () =>
      store.samples.sparkline({ runId: run.id, metric, attempts: [attempt], from, to }),
    );
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
