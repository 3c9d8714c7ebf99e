import { packColumn, unpackColumn } from "../column.ts";
import type { RankStep } from "../contract.ts";

/** What all metrics of interest say of one step. */
export interface StepBundle {
  readonly step: number;
  readonly timeMs: number | null;
  /** The largest rank of any of them plus one. */
  readonly ranks: number;
  /** One value a rank; null where the metric says nothing of the step. */
  column(metric: string): Float64Array | null;
}

export interface StoredBundles {
  readonly last: Readonly<Record<string, number>>;
  readonly settled: boolean;
  readonly pending: readonly {
    readonly step: number;
    readonly timeMs: number | null;
    readonly columns: Readonly<Record<string, string>>;
  }[];
}

export const NO_BUNDLES: StoredBundles = { last: {}, settled: false, pending: [] };

/** Brings the metrics of a step together: one tells what another means. */
export interface StepBundler {
  /** Bundles that the row completes, in ascending steps. */
  take(step: RankStep): readonly StepBundle[];
  pack(): StoredBundles;
}

interface Pending {
  readonly step: number;
  timeMs: number | null;
  readonly columns: Map<string, Float64Array>;
}

/** Steps that wait for a metric; and so many steps behind, a metric is not waited for. */
const MOST_PENDING = 4;
const GONE = 8;

export function createStepBundler(metrics: readonly string[], stored: StoredBundles): StepBundler {
  const last = new Map(Object.entries(stored.last));
  let settled = stored.settled;
  let pending: Pending[] = stored.pending.map(({ step, timeMs, columns }) => ({
    step,
    timeMs,
    columns: new Map(Object.entries(columns).map(([metric, column]) => [metric, unpackColumn(Float64Array, column)])),
  }));
  const isComplete = ({ step }: Pending): boolean => {
    const newest = Math.max(...last.values());
    // Of the first step nobody knows which metrics there are until the next has begun.
    if (!settled && newest <= step) return false;
    for (const seen of last.values()) if (seen < step && newest - seen < GONE) return false;
    return true;
  };
  return {
    take(row) {
      if (!metrics.includes(row.metric)) return [];
      last.set(row.metric, row.step);
      let open = pending.find(({ step }) => step === row.step);
      if (open === undefined) {
        open = { step: row.step, timeMs: row.timeMs, columns: new Map() };
        pending = [...pending, open].sort((a, b) => a.step - b.step);
      }
      open.columns.set(row.metric, row.values);
      if (row.timeMs !== null && (open.timeMs === null || row.timeMs > open.timeMs)) open.timeMs = row.timeMs;
      const out: StepBundle[] = [];
      for (let [oldest] = pending; oldest !== undefined; [oldest] = pending) {
        if (!isComplete(oldest) && pending.length <= MOST_PENDING) break;
        settled = true;
        pending.shift();
        out.push(bundleOf(oldest));
      }
      return out;
    },
    pack: () => ({
      last: Object.fromEntries(last),
      settled,
      pending: pending.map(({ step, timeMs, columns }) => ({
        step,
        timeMs,
        columns: Object.fromEntries([...columns].map(([metric, column]) => [metric, packColumn(column)])),
      })),
    }),
  };
}

function bundleOf({ step, timeMs, columns }: Pending): StepBundle {
  const ranks = Math.max(0, ...[...columns.values()].map(({ length }) => length));
  return { step, timeMs, ranks, column: (metric) => columns.get(metric) ?? null };
}

/** Seconds a rank computed: as told, else forward and backward together; null where neither is told. */
export function computeOf(bundle: StepBundle): Float64Array | null {
  const told = bundle.column("compute_time");
  if (told !== null) return told;
  const forward = bundle.column("forward_time");
  const backward = bundle.column("backward_time");
  if (forward === null || backward === null) return null;
  return forward.map((seconds, rank) => seconds + (backward[rank] ?? Number.NaN));
}
