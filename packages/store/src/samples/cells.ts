import { type PackedColumns, decodeColumns, encodeColumns } from "./number-columns.ts";

/**
 * What is kept of the points of one cell. Extremes are of the finite points, each with its exact step and time; of equal extremes the
 * one at the lower step. NaN where there is none: a cell may hold no finite point, and a source may give no times.
 */
export const CELL_COLUMNS = [
  "stepFirst",
  "stepLast",
  "timeFirst",
  "timeLast",
  /** Points, finite and not. */
  "points",
  /** Sum of the finite points below `BIG`; the others are in `bigSum`. */
  "sum",
  "min",
  "minStep",
  "minTime",
  "max",
  "maxStep",
  "maxTime",
  /** The last finite point by step, and of those on one step the one that arrived last. */
  "last",
  "lastStep",
  "lastArrival",
  /** Finite points that are zero, and below zero: what a log axis hides. */
  "zeros",
  "negatives",
  /** Non-finite points by kind, with the lowest step of each. */
  "nans",
  "nanStep",
  "posInfs",
  "posInfStep",
  "negInfs",
  "negInfStep",
  /** Sum of the finite points from `BIG` on, in units of `BIG`: as they are, two of them can be more than a double holds. */
  "bigSum",
] as const;

/** 2^960: so many points as a run can have (2^53) of less than this add up to a double. */
export const BIG = 2 ** 960;
/** Cells packed before `bigSum` was there lack it; it comes last. */
const OLDER_COLUMNS = CELL_COLUMNS.length - 1;

export type CellColumn = (typeof CELL_COLUMNS)[number];
const COLUMN_INDEX: Readonly<Record<CellColumn, number>> = indexColumns();
const COUNTERS: readonly CellColumn[] = ["points", "sum", "bigSum", "zeros", "negatives", "nans", "posInfs", "negInfs"];

export type Cells = { readonly [Column in CellColumn]: Float64Array } & { readonly count: number };

/** Cells that hold nothing yet. */
export function emptyCells(count: number): Cells {
  return cellsFrom(count, (column) => (COUNTERS.includes(column) ? new Float64Array(count) : new Float64Array(count).fill(Number.NaN)));
}

export function encodeCells(cells: Cells): Buffer {
  return encodeColumns(CELL_COLUMNS.map((column) => cells[column]));
}

export function decodeCells(data: Buffer): Cells {
  const packed = unpack(data);
  return cellsFrom(packed.count, (_, index) => (index < packed.columns ? packed.column(index) : new Float64Array(packed.count)));
}

/** Cells that are read a column at a time. */
export interface CellSource {
  readonly count: number;
  /** May lie in `into`: worth something until that is written to again. */
  read(column: CellColumn, into: Float64Array): Float64Array;
  /** The one value of a column that holds nothing else. */
  constant(column: CellColumn): number | undefined;
}

/** Reads cells as they are packed: columns that nobody asks for are not unpacked. */
export function packedCells(data: Buffer): CellSource {
  const packed = unpack(data);
  const isThere = (column: CellColumn): boolean => COLUMN_INDEX[column] < packed.columns;
  return {
    count: packed.count,
    read: (column, into) => (isThere(column) ? packed.column(COLUMN_INDEX[column], into) : new Float64Array(packed.count)),
    constant: (column) => (isThere(column) ? packed.constant(COLUMN_INDEX[column]) : 0),
  };
}

function unpack(data: Buffer): PackedColumns {
  return decodeColumns(data, CELL_COLUMNS.length, OLDER_COLUMNS);
}

export function unpackedCells(cells: Cells): CellSource {
  return { count: cells.count, read: (column) => cells[column], constant: () => undefined };
}

export function sliceCells(cells: Cells, from: number, to: number): Cells {
  const end = Math.min(to, cells.count);
  return cellsFrom(end - from, (column) => cells[column].subarray(from, end));
}

/** Puts several together in the order of their first step, stable. */
export function mergeCells(parts: readonly Cells[]): Cells {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const starts = new Float64Array(total);
  let at = 0;
  for (const part of parts) {
    starts.set(part.stepFirst, at);
    at += part.count;
  }
  const order = Uint32Array.from({ length: total }, (_, index) => index);
  order.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
  return cellsFrom(total, (column) => {
    const joined = new Float64Array(total);
    let to = 0;
    for (const part of parts) {
      joined.set(part[column], to);
      to += part.count;
    }
    const picked = new Float64Array(total);
    for (let index = 0; index < total; index++) picked[index] = joined[order[index] ?? 0] ?? 0;
    return picked;
  });
}

function cellsFrom(count: number, make: (column: CellColumn, index: number) => Float64Array): Cells {
  const entries = CELL_COLUMNS.map((column, index): [CellColumn, Float64Array] => [column, make(column, index)]);
  const columns: Partial<Record<CellColumn, Float64Array>> = Object.fromEntries(entries);
  if (!hasAll(columns)) throw new Error("a cell column is missing");
  return { count, ...columns };
}

function indexColumns(): Record<CellColumn, number> {
  const indexes: Partial<Record<CellColumn, number>> = Object.fromEntries(
    CELL_COLUMNS.map((column, index): [CellColumn, number] => [column, index]),
  );
  if (!hasAll(indexes)) throw new Error("a cell column is missing");
  return indexes;
}

function hasAll<T>(columns: Partial<Record<CellColumn, T>>): columns is Record<CellColumn, T> {
  return CELL_COLUMNS.every((column) => columns[column] !== undefined);
}
