/** Number columns of a block by name, of equal length. Scores stand under `score:<metric>`; the others under their own names. */
export type NumberColumns = ReadonlyMap<string, Float64Array>;

export const scoreColumn = (metric: string): string => `score:${metric}`;

/** The metric of a score column; null for any other. */
export function metricOfColumn(column: string): string | null {
  return column.startsWith("score:") ? column.slice("score:".length) : null;
}

/** Columns one after the other, little endian. */
export function encodeNumbers(columns: NumberColumns, count: number): Buffer {
  const bytes = Buffer.alloc(columns.size * count * 8);
  let at = 0;
  for (const column of columns.values())
    for (let index = 0; index < count; index++, at += 8) bytes.writeDoubleLE(column[index] ?? Number.NaN, at);
  return bytes;
}

/** The inverse: writes each of a block's columns into the columns of the whole, from `offset` on. A column that the block lacks stays as it is. */
export function decodeNumbers(
  bytes: Buffer,
  names: readonly string[],
  count: number,
  into: (name: string) => Float64Array | undefined,
  offset: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [place, name] of names.entries()) {
    const target = into(name);
    if (target === undefined) continue;
    const from = place * count * 8;
    for (let index = 0; index < count; index++) target[offset + index] = view.getFloat64(from + index * 8, true);
  }
}
