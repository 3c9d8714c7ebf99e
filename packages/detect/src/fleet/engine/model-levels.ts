import { median } from "@trainwatch/stats";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { isRead, rowsOf } from "./rows.ts";

/** Median reading of the GPUs of each row's model; NaN where the model is not known or too few are read. */
export function modelLevels(column: FleetColumn, tick: FleetTick, least: number): Float64Array {
  const { index, gpu } = rowsOf(column, tick);
  const values = new Map<string, number[]>();
  const modelOf = (row: number): string | null => index.topology.gpus[gpu[row] ?? -1]?.model ?? null;
  for (let row = 0; row < column.values.length; row++) {
    const model = modelOf(row);
    if (model === null || !isRead(column, row)) continue;
    const own = values.get(model);
    if (own === undefined) values.set(model, [column.values[row] ?? 0]);
    else own.push(column.values[row] ?? 0);
  }
  const levels = new Map([...values].map(([model, own]) => [model, own.length < least ? Number.NaN : median(own)]));
  return Float64Array.from(column.values, (_, row) => levels.get(modelOf(row) ?? "") ?? Number.NaN);
}
