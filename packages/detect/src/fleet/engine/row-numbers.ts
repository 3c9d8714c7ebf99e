import type { FleetColumn } from "../contract.ts";

type Keyed = Pick<FleetColumn, "entities" | "labels">;

/** As it is stored: rows that are not at rest, by key, and of which rows it was. NaN is null. */
interface StoredRows {
  readonly digest: number;
  readonly rows: readonly (readonly [key: string, ...(number | null)[]])[];
}

/** More rows than this that are not at rest, such as counters of all links that have long ceased to be 0, are learnt anew after a restart. */
const MOST_ROWS = 2_000;

export interface RowNumber {
  /** Of a row that was never seen. */
  readonly initial: number;
  /** Rows with this in all columns are not stored; those of a row that was seen and not stored have it. Null: says nothing about rest, and is NaN after it. */
  readonly rest: number | null;
}

/**
 * Some numbers beside each row of a column, kept by entity and label when the rows change. What is at rest costs nothing in the state: a row that is not in it has
 * its numbers at rest where the rows are the same as when it was stored, and is new else.
 */
export class RowNumbers {
  readonly #numbers: readonly RowNumber[];
  #keyed: Keyed | null = null;
  #columns: readonly Float64Array[];
  #stored: StoredRows | null;

  constructor(numbers: readonly RowNumber[], stored: unknown) {
    this.#numbers = numbers;
    this.#columns = numbers.map(() => new Float64Array(0));
    this.#stored = isStored(stored) ? stored : null;
  }

  /** The numbers, a column each, in the order of these rows. */
  align(keyed: Keyed): readonly Float64Array[] {
    const before = this.#keyed;
    if (before !== null && (before.entities === keyed.entities || isSame(before, keyed))) {
      this.#keyed = keyed;
      return this.#columns;
    }
    const next = this.#numbers.map(({ initial }) => new Float64Array(keyed.entities.length).fill(initial));
    if (before !== null) carry(before, this.#columns, keyed, next);
    else if (this.#stored !== null) this.#restore(this.#stored, keyed, next);
    this.#keyed = keyed;
    this.#columns = next;
    this.#stored = null;
    return next;
  }

  #restore({ digest, rows }: StoredRows, keyed: Keyed, next: readonly Float64Array[]): void {
    if (digest === digestOf(keyed)) for (const [at, { rest }] of this.#numbers.entries()) next[at]?.fill(rest ?? Number.NaN);
    if (rows.length === 0) return;
    const byKey = new Map(rows.map(([key, ...values]) => [key, values]));
    for (let row = 0; row < keyed.entities.length; row++) {
      const values = byKey.get(keyOf(keyed, row));
      if (values !== undefined) for (const [at, column] of next.entries()) column[row] = values[at] ?? Number.NaN;
    }
  }

  /** JSON-safe and bounded; null where there is nothing, or too much, to keep. */
  store(): StoredRows | null {
    const keyed = this.#keyed;
    if (keyed === null) return this.#stored;
    const rows: [string, ...(number | null)[]][] = [];
    for (let row = 0; row < keyed.entities.length; row++) {
      if (this.#isAtRest(row)) continue;
      if (rows.length >= MOST_ROWS) return null;
      rows.push([keyOf(keyed, row), ...this.#columns.map((column) => toStored(column[row]))]);
    }
    return { digest: digestOf(keyed), rows };
  }

  #isAtRest(row: number): boolean {
    return this.#numbers.every(({ rest }, at) => rest === null || Object.is(this.#columns[at]?.[row], rest));
  }
}

function toStored(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function keyOf({ entities, labels }: Keyed, row: number): string {
  const label = labels[row] ?? "";
  return label === "" ? (entities[row] ?? "") : `${entities[row] ?? ""} ${label}`;
}

function isSame(a: Keyed, b: Keyed): boolean {
  if (a.entities.length !== b.entities.length) return false;
  for (let row = 0; row < a.entities.length; row++)
    if (a.entities[row] !== b.entities[row] || (a.labels[row] ?? "") !== (b.labels[row] ?? "")) return false;
  return true;
}

function carry(from: Keyed, held: readonly Float64Array[], to: Keyed, next: readonly Float64Array[]): void {
  const rows = new Map<string, number>();
  for (let row = 0; row < from.entities.length; row++) rows.set(keyOf(from, row), row);
  for (let row = 0; row < to.entities.length; row++) {
    const old = rows.get(keyOf(to, row));
    if (old !== undefined) for (const [at, column] of next.entries()) column[row] = held[at]?.[old] ?? Number.NaN;
  }
}

/** FNV-1a over the keys. */
function digestOf(keyed: Keyed): number {
  let hash = 0x811c9dc5;
  for (let row = 0; row < keyed.entities.length; row++) {
    const key = keyOf(keyed, row);
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 10, 0x01000193);
  }
  return hash >>> 0;
}

function isStored(stored: unknown): stored is StoredRows {
  return (
    typeof stored === "object" &&
    stored !== null &&
    "digest" in stored &&
    typeof stored.digest === "number" &&
    "rows" in stored &&
    Array.isArray(stored.rows) &&
    stored.rows.every((row) => Array.isArray(row) && typeof row[0] === "string")
  );
}
