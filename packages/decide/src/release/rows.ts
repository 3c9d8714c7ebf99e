import type { Dimension, MeasureDescription } from "@trainwatch/core";
import { describeMeasure, DIMENSIONS, rowKey } from "@trainwatch/core";
import type { ColumnInput, MeasureInput } from "./contract.ts";
import type { JointEstimates } from "./joint.ts";

/** One column's measure in a row, with what is known of it beside the measure itself. */
export interface RowMeasure {
  readonly measure: MeasureInput;
  readonly notes: readonly string[];
}

/** A row before it is judged. */
export interface RowEntry {
  readonly key: string;
  readonly task: string;
  readonly metric: string;
  readonly filter: string | null;
  /** By column; null: not run. */
  readonly cells: readonly (RowMeasure | null)[];
  /** Of rows that one fit over all columns gives. */
  readonly joint: JointEstimates | null;
  readonly title?: string;
  /** How a mean over subtasks is weighted, in words. */
  readonly group: string | null;
}

/** All rows that any column has, in the order of their first appearance. */
export function gatherRows(columns: readonly ColumnInput[]): RowEntry[] {
  const rows = new Map<string, { entry: RowEntry; cells: (RowMeasure | null)[] }>();
  columns.forEach(({ measures }, column) => {
    for (const measure of measures) {
      const key = rowKey(measure);
      let row = rows.get(key);
      if (row === undefined) {
        const cells: (RowMeasure | null)[] = columns.map(() => null);
        const { task, metric, filter } = measure;
        row = { cells, entry: { key, task, metric, filter, cells, joint: null, group: null } };
        rows.set(key, row);
      }
      const known = row.cells[column] ?? null;
      if (known === null || isNewer(measure, known.measure)) row.cells[column] = { measure, notes: [] };
    }
  });
  return [...rows.values()].map(({ entry }) => entry);
}

const isNewer = (measure: MeasureInput, than: MeasureInput): boolean => (measure.evaluatedAtMs ?? 0) > (than.evaluatedAtMs ?? 0);

/** How a row is read, by what the first column that tells says. */
export function describeRow(row: RowEntry): MeasureDescription {
  const measures = row.cells.flatMap((cell) => (cell === null ? [] : [cell.measure]));
  const first = <Value>(pick: (measure: MeasureInput) => Value | null): Value | null => {
    for (const measure of measures) {
      const value = pick(measure);
      if (value !== null) return value;
    }
    return null;
  };
  const description = describeMeasure({
    task: row.task,
    metric: row.metric,
    filter: row.filter,
    unit: first(({ unit }) => unit),
    dimension: first(({ dimension }) => dimensionOf(dimension)),
    higherIsBetter: first(({ higherIsBetter }) => higherIsBetter),
  });
  return row.title === undefined ? description : { ...description, title: row.title };
}

function dimensionOf(name: string | null): Dimension | null {
  return DIMENSIONS.find((dimension) => dimension === name) ?? null;
}

/** A measure that we have computed. */
export function derivedMeasure(name: Pick<MeasureInput, "task" | "metric" | "filter" | "settings"> & Partial<MeasureInput>): MeasureInput {
  return {
    value: null,
    stderr: null,
    interval: null,
    n: null,
    higherIsBetter: null,
    unit: null,
    dimension: null,
    group: null,
    evaluatedAtMs: null,
    samples: null,
    ...name,
  };
}
