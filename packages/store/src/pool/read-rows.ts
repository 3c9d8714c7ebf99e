import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/** Reads the fields of one row one after another, in the order of the columns. */
export interface RowReader {
  int2(): number;
  int4(): number;
  /** A bigint that counts: beyond 2^53 it would not be exact. */
  int8(): number;
  float8(): number;
  float8OrNull(): number | null;
  bool(): boolean;
  /** A view of what was received, not a copy. */
  bytea(): Buffer;
}

/** Signature, flags and length of the extension of PostgreSQL's binary COPY format. */
const HEADER_BYTES = 19;

/**
 * Runs a query by binary COPY: the driver reads binary data as text otherwise, and packed samples as hexadecimal are twice the size. COPY
 * takes no parameters, so values stand in the text: make them with `literal` only.
 */
export async function readRows<Row>(client: pg.ClientBase, select: string, read: (row: RowReader) => Row): Promise<Row[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`))) chunks.push(chunk);
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  const rows: Row[] = [];
  const reader = fieldReader(bytes);
  while (reader.begin()) rows.push(read(reader));
  return rows;
}

function fieldReader(bytes: Buffer): RowReader & { begin(): boolean } {
  let at = HEADER_BYTES;
  /** Length of the next field, -1 for null; `at` is then its first byte. */
  const enter = (): number => {
    const length = bytes.readInt32BE(at);
    at += 4;
    return length;
  };
  const take = <T>(length: number, value: T): T => {
    at += length;
    return value;
  };
  const filled = (): number => {
    const length = enter();
    if (length < 0) throw new Error("a column that cannot be null is null");
    return length;
  };
  return {
    begin() {
      const fields = bytes.readInt16BE(at);
      at += 2;
      return fields >= 0;
    },
    int2: () => take(filled(), bytes.readInt16BE(at)),
    int4: () => take(filled(), bytes.readInt32BE(at)),
    int8: () => take(filled(), Number(bytes.readBigInt64BE(at))),
    float8: () => take(filled(), bytes.readDoubleBE(at)),
    float8OrNull() {
      const length = enter();
      return length < 0 ? null : take(length, bytes.readDoubleBE(at));
    },
    bool: () => take(filled(), bytes[at] === 1),
    bytea() {
      const length = filled();
      return take(length, bytes.subarray(at, at + length));
    },
  };
}

/** Numbers as SQL text. */
export const literal = {
  int(value: number): string {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`);
    return String(value);
  },
  float8: (value: number): string => `'${float(value)}'::float8`,
  ints: (values: readonly number[]): string => `'{${values.map((value) => literal.int(value)).join(",")}}'::int[]`,
  float8s: (values: readonly number[]): string => `'{${values.map(float).join(",")}}'::float8[]`,
};

/** JavaScript writes a double so that it reads back the same; the words for the non-finite ones are PostgreSQL's too. */
function float(value: number): string {
  return String(value);
}
