import { rowKey } from "@trainwatch/core";
import type { ColumnInput, PairColumn, ReleaseInput } from "./contract.ts";
import { lengthControlledRow } from "./length-control.ts";
import type { PreferenceTask } from "./preference-task.ts";
import { derivedMeasure } from "./rows.ts";
import type { RowEntry, RowMeasure } from "./rows.ts";

/** How often raters prefer each column's answers to those of a common opponent, as judged and with the answers' length taken into account. */
export function preferenceRows(input: ReleaseInput): { readonly rows: readonly RowEntry[]; readonly notes: readonly string[] } {
  const rows: RowEntry[] = [];
  const notes: string[] = [];
  for (const task of preferenceTasks(input.columns)) {
    rows.push(winRateRow(task, input.columns));
    const controlled = lengthControlledRow(task, input.columns);
    if (controlled !== null) {
      if (controlled.row !== null) rows.push(controlled.row);
      notes.push(controlled.note);
    }
  }
  return { rows, notes };
}

function preferenceTasks(columns: readonly ColumnInput[]): readonly PreferenceTask[] {
  const tasks = new Set(columns.flatMap(({ pairs }) => pairs.map(({ task }) => task)));
  return [...tasks].map((task) => {
    const opponent = commonOpponent(task, columns);
    const pairs = columns.map((column) => column.pairs.find((pair) => pair.task === task && pair.opponent === opponent) ?? null);
    return { task, opponent, pairs };
  });
}

/** The opponent that most columns were judged against, or are; the baseline of several. */
function commonOpponent(task: string, columns: readonly ColumnInput[]): string {
  const baseline = columns[0]?.model ?? "";
  const opponents = new Set(columns.flatMap(({ pairs }) => pairs.filter((pair) => pair.task === task).map(({ opponent }) => opponent)));
  const reach = (opponent: string): number =>
    columns.filter(({ model, pairs }) => model === opponent || pairs.some((pair) => pair.task === task && pair.opponent === opponent))
      .length;
  const ranked = [...opponents].sort((a, b) => reach(b) - reach(a) || Number(b === baseline) - Number(a === baseline) || (a < b ? -1 : 1));
  return ranked[0] ?? baseline;
}

function winRateRow({ task, opponent, pairs }: PreferenceTask, columns: readonly ColumnInput[]): RowEntry {
  const metric = "win_rate";
  const cells = columns.map(({ model }, column): RowMeasure | null => {
    const pair = pairs[column] ?? null;
    if (pair !== null) {
      const settings = { opponent, ...(pair.judge === null ? {} : { judge: pair.judge }) };
      const samples = { keys: pair.keys, scores: pair.preferences, clusters: null, categories: null };
      return { measure: derivedMeasure({ task, metric, filter: null, settings, samples }), notes: [] };
    }
    return model === opponent ? itself(task, metric, pairs) : null;
  });
  return { key: rowKey({ task, metric, filter: null }), task, metric, filter: null, cells, joint: null, group: null };
}

/** A model against itself wins one half, by definition: on each prompt that the others were judged on. */
function itself(task: string, metric: string, pairs: readonly (PairColumn | null)[]): RowMeasure {
  const keys = [...new Set(pairs.flatMap((pair) => pair?.keys ?? []))];
  const judges = new Set(pairs.flatMap((pair) => (pair === null ? [] : [pair.judge])));
  const [judge = null] = judges;
  const settings = judges.size === 1 && judge !== null ? { judge } : {};
  const samples = { keys, scores: new Float64Array(keys.length).fill(0.5), clusters: null, categories: null };
  return {
    measure: derivedMeasure({ task, metric, filter: null, settings, samples }),
    notes: ["The others were judged against it: one half by definition"],
  };
}
