import type { SiftedColumn } from "./sift.ts";

/**
 * Makes one column of all columns of a series, so that its points stand as one sequence: side by side they would look like two writers.
 * Columns follow each other as they were sent, as pushes would; those that only fill each other's holes (odd steps and even steps, chunks
 * in any order) are put in order of step. A column that says another value of a step, or whose own steps fall back, stays behind what came
 * before it: that is how a restart looks.
 * @param ids of the series of each column, in the order of `columns`.
 */
export function joinColumns(columns: readonly SiftedColumn[], ids: readonly number[]): readonly SiftedColumn[] {
  const groups = new Map<string, SiftedColumn[]>();
  columns.forEach((column, index) => {
    const key = `${ids[index] ?? ""} ${column.hasSteps}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [column]);
    else group.push(column);
  });
  if (groups.size === columns.length) return columns;
  return [...groups.values()].map((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return first ?? EMPTY;
    return concatenated(first.hasSteps ? stretchesOf(group) : group);
  });
}

/** Columns put together where they only fill each other's holes, in the order of their beginnings. */
function stretchesOf(group: readonly SiftedColumn[]): readonly SiftedColumn[] {
  const stretches: SiftedColumn[] = [];
  for (const column of group) {
    const last = stretches.at(-1);
    if (last !== undefined && fillsHoles(last, column)) stretches[stretches.length - 1] = inOrderOfStep(concatenated([last, column]));
    else stretches.push(column);
  }
  return stretches;
}

function fillsHoles(before: SiftedColumn, column: SiftedColumn): boolean {
  if (!rises(before.step) || !rises(column.step)) return false;
  if ((column.step[0] ?? 0) > (before.step.at(-1) ?? -1)) return true;
  const valueAt = new Map<number, number>();
  before.step.forEach((step, index) => valueAt.set(step, before.value[index] ?? 0));
  return column.step.every((step, index) => !valueAt.has(step) || Object.is(valueAt.get(step), column.value[index]));
}

function rises(steps: Float64Array): boolean {
  for (let index = 1; index < steps.length; index++) if ((steps[index] ?? 0) < (steps[index - 1] ?? 0)) return false;
  return true;
}

function concatenated(parts: readonly SiftedColumn[]): SiftedColumn {
  const [first = EMPTY] = parts;
  const length = parts.reduce((sum, part) => sum + part.step.length, 0);
  const places = new Uint32Array(length);
  const [step, timeMs, value] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  let at = 0;
  for (const part of parts) {
    places.set(part.places, at);
    step.set(part.step, at);
    timeMs.set(part.timeMs, at);
    value.set(part.value, at);
    at += part.step.length;
  }
  return { ...first, places, step, timeMs, value };
}

function inOrderOfStep(column: SiftedColumn): SiftedColumn {
  if (rises(column.step)) return column;
  const order = Uint32Array.from(column.step.keys());
  order.sort((a, b) => (column.step[a] ?? 0) - (column.step[b] ?? 0) || a - b);
  const pick = (from: Float64Array): Float64Array => Float64Array.from(order, (index) => from[index] ?? 0);
  return {
    ...column,
    places: Uint32Array.from(order, (index) => column.places[index] ?? 0),
    step: pick(column.step),
    timeMs: pick(column.timeMs),
    value: pick(column.value),
  };
}

const EMPTY: SiftedColumn = {
  series: 0,
  hasSteps: true,
  places: new Uint32Array(),
  step: new Float64Array(),
  timeMs: new Float64Array(),
  value: new Float64Array(),
};
