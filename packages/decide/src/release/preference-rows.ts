import { rowKey } from "@trainwatch/core";
import type { ColumnInput, PairColumn, ReleaseInput } from "./contract.ts";
import { lengthControlledRow } from "./length-control.ts";
import { columnKey, opponentKey, preferenceTasks } from "./preference-task.ts";
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
    notes.push(...leftOut(task, input.columns));
  }
  return { rows, notes };
}

/** One judge's judgements make a row: another judge's share is another measure. */
function leftOut({ task, opponent, opponentKey: reference, judge }: PreferenceTask, columns: readonly ColumnInput[]): readonly string[] {
  const judges = new Set(
    columns.flatMap(({ pairs }) =>
      pairs
        .filter((pair) => pair.task === task && opponentKey(pair, columns) === reference && pair.judge !== judge)
        .map((pair) => pair.judge),
    ),
  );
  if (judges.size === 0) return [];
  const names = [...judges].map((name) => name ?? "a judge that is not told");
  return [`${task} against ${opponent} is compared by ${judge ?? "the judge that is not told"}; ${names.join(", ")} judged too`];
}

function winRateRow({ task, opponentKey: reference, pairs }: PreferenceTask, columns: readonly ColumnInput[]): RowEntry {
  const metric = "win_rate";
  const cells = columns.map((input, column): RowMeasure | null => {
    const pair = pairs[column] ?? null;
    if (pair !== null) {
      const settings = { opponent: pair.opponent, ...(pair.judge === null ? {} : { judge: pair.judge }) };
      const samples = { keys: pair.keys, scores: pair.preferences, clusters: null, categories: null, prompts: null, epochs: 1 };
      return { measure: derivedMeasure({ task, metric, filter: null, settings, samples }), notes: [] };
    }
    return columnKey(input) === reference ? itself(task, metric, pairs) : null;
  });
  return { key: rowKey({ task, metric, filter: null }), task, metric, filter: null, cells, joint: null, group: null };
}

/** A model against itself wins one half, by definition: on each prompt that the others were judged on. */
function itself(task: string, metric: string, pairs: readonly (PairColumn | null)[]): RowMeasure {
  const keys = [...new Set(pairs.flatMap((pair) => pair?.keys ?? []))];
  const judges = new Set(pairs.flatMap((pair) => (pair === null ? [] : [pair.judge])));
  const [judge = null] = judges;
  const settings = judges.size === 1 && judge !== null ? { judge } : {};
  const samples = { keys, scores: new Float64Array(keys.length).fill(0.5), clusters: null, categories: null, prompts: null, epochs: 1 };
  return {
    measure: derivedMeasure({ task, metric, filter: null, settings, samples }),
    notes: ["The others were judged against it: one half by definition"],
  };
}
