import { readLineage } from "./lineage-state.ts";
import type { ParsedPush } from "./parsed-push.ts";
import { type PlacedPush, placePush } from "./place-push.ts";
import type { SiftedColumn } from "./sift.ts";

/** Keeps a lineage as the database does. */
export function keptRun() {
  let head: unknown;
  const parts = new Map<number, string>();
  const asked: (readonly number[] | "all")[] = [];
  return {
    parts,
    asked,
    lineage: () => Promise.resolve(head),
    lineageParts(wanted: readonly number[] | "all") {
      asked.push(wanted);
      return Promise.resolve(new Map([...parts].filter(([part]) => wanted === "all" || wanted.includes(part)).sort(([a], [b]) => a - b)));
    },
    saveLineage(next: unknown, changed: ReadonlyMap<number, string | null>) {
      head = JSON.parse(JSON.stringify(next));
      for (const [part, text] of changed) {
        if (text === null) parts.delete(part);
        else parts.set(part, text);
      }
      return Promise.resolve();
    },
  };
}

export type KeptRun = ReturnType<typeof keptRun>;

export interface Sent {
  readonly source: string;
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly steps: number;
  /** Between two steps; 1 where absent. */
  readonly gap?: number;
  /** Whether the source counts no steps. */
  readonly isStepless?: boolean;
  readonly attempt: string | null;
  readonly starts: boolean;
  /** The one that the launch says it builds on. */
  readonly startStep?: number;
}

function facts({ source, first, count, from, steps, gap = 1, isStepless = false, attempt, starts, startStep }: Sent, seq: number) {
  const ids = Array.from({ length: count }, (_, index) => first + index);
  const columns = ids.map((id, series): SiftedColumn => {
    const step = Float64Array.from({ length: steps }, (_, at) => from + at * gap);
    return {
      series,
      hasSteps: !isStepless,
      places: Uint32Array.from(step.keys()),
      step,
      timeMs: step.map(() => Number.NaN),
      value: step.map((at) => at * id + seq),
    };
  });
  const push: ParsedPush = {
    run: { project: "p", name: "r" },
    source,
    seq,
    series: [],
    columns: [],
    checkpoints: [],
    events: starts ? [{ kind: "start", text: "launch", step: startStep ?? null, timeMs: null }] : [],
    assignments: [],
    ...(attempt === null ? {} : { attempt }),
  };
  return { push, columns, ids, nowMs: 0 };
}

export async function place(run: KeptRun, sent: Sent, seq: number, which: "own" | "all"): Promise<PlacedPush> {
  const given = facts(sent, seq);
  for (const series of which === "own" ? [given.ids, "all" as const] : ["all" as const]) {
    const lineage = await readLineage(run, series);
    const placed = placePush({ ...given, ...lineage });
    if (placed === null) continue;
    await lineage.save(placed.state);
    return placed;
  }
  throw new Error("the whole lineage was not enough");
}

export const told = ({ placed, corrections, attempts, current }: PlacedPush): unknown => ({
  placed: placed.map(({ column, ...each }) => ({ ...each, series: column.series })),
  corrections: corrections.map((each) => JSON.stringify(each)).sort(),
  attempts,
  current,
});

export function ranks(first: number, from: number): Sent {
  return { source: "s", first, count: 3, from, steps: 1, attempt: null, starts: false };
}

export function upTo(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
