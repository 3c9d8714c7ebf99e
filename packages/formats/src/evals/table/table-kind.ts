import { stepOfText } from "@trainwatch/core";
import { columnAt } from "./csv-document.ts";

/** Columns of the step and of the checkpoint's place. */
export const STEP_COLUMNS = ["step", "steps", "global_step", "training step", "training_step"] as const;
export const PLACE_COLUMNS = [
  "checkpoint directory",
  "checkpoint_directory",
  "checkpoint path",
  "checkpoint_path",
  "checkpoint",
  "revision",
] as const;

/** One checkpoint a row: a step, and beside it a folder or revision that is one (a log may have a column "checkpoint" that says yes or no). */
export function isCheckpointTable(columns: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const place = columnAt(columns, ...PLACE_COLUMNS);
  if (place < 0 || columnAt(columns, ...STEP_COLUMNS) < 0) return false;
  return rows.some((cells) => /[/\\]/.test(cells[place] ?? "") || stepOfText(cells[place] ?? "") !== null);
}

/** One result a row: a task, the metric's name and its value. */
export function isLongResults(columns: readonly string[]): boolean {
  return columnAt(columns, "task", "benchmark") >= 0 && columnAt(columns, "metric") >= 0 && columnAt(columns, "value", "score") >= 0;
}
