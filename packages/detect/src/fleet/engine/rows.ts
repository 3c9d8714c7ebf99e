import { gpuOf } from "@trainwatch/core";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { indexOf } from "./topology.ts";
import type { TopologyIndex } from "./topology.ts";

/** `FleetColumn.has`; 2 is a series that has ended. */
export const READING = 1;
export const INVALID = 3;

/** What is derived from the entities of a column and the topology, and kept as long as neither is another object. */
export interface RowIndex {
  readonly index: TopologyIndex;
  /** Index into `topology.gpus` of each row's GPU; -1 where it is none that the topology knows. */
  readonly gpu: Int32Array;
  /** Row of an entity; the first where labels tell several apart. */
  rowOf(id: string): number;
}

const ROWS = new WeakMap<readonly string[], RowIndex>();

export function rowsOf(column: FleetColumn, tick: FleetTick): RowIndex {
  const known = ROWS.get(column.entities);
  if (known !== undefined && known.index.topology === tick.topology) return known;
  const index = indexOf(tick.topology);
  const { entities } = column;
  const gpu = new Int32Array(entities.length).fill(-1);
  // Links of one GPU stand next to each other: most look-ups are the one before.
  let lastGpu = "";
  let lastAt = -1;
  for (let row = 0; row < entities.length; row++) {
    const id = entities[row] ?? "";
    const own = gpuOf(id);
    if (own !== lastGpu) {
      lastGpu = own;
      lastAt = index.gpuAt.get(own) ?? -1;
    }
    gpu[row] = index.gpuAt.get(id) ?? lastAt;
  }
  let byId: Map<string, number> | null = null;
  const made: RowIndex = {
    index,
    gpu,
    rowOf(id) {
      byId ??= firstRows(entities);
      return byId.get(id) ?? -1;
    },
  };
  ROWS.set(entities, made);
  return made;
}

function firstRows(entities: readonly string[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const [row, id] of entities.entries()) {
    if (!rows.has(id)) rows.set(id, row);
    // A GPU that is split is read through its instances.
    const end = id.indexOf("/mig/");
    if (end >= 0 && !rows.has(id.slice(0, end))) rows.set(id.slice(0, end), row);
  }
  return rows;
}

export function columnOf(tick: FleetTick, field: string): FleetColumn | null {
  return tick.columns.find((column) => column.field === field) ?? null;
}

/** Whether a row has a finite reading. */
export function isRead(column: FleetColumn, row: number): boolean {
  return column.has[row] === READING && Number.isFinite(column.values[row] ?? Number.NaN);
}

/** The reading of an entity now; null where there is none. */
export function readingOf(column: FleetColumn | null, tick: FleetTick, id: string): number | null {
  if (column === null) return null;
  const row = rowsOf(column, tick).rowOf(id);
  return row >= 0 && isRead(column, row) ? (column.values[row] ?? null) : null;
}
