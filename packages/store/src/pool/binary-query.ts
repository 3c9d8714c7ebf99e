import type pg from "pg";

/** Type numbers of PostgreSQL, for the few types that our binary queries return. */
const READERS: Readonly<Record<number, (bytes: Buffer) => unknown>> = {
  16: (bytes) => bytes[0] === 1,
  17: (bytes) => bytes,
  20: (bytes) => Number(bytes.readBigInt64BE(0)),
  21: (bytes) => bytes.readInt16BE(0),
  23: (bytes) => bytes.readInt32BE(0),
  25: (bytes) => bytes.toString("utf8"),
  701: (bytes) => bytes.readDoubleBE(0),
};

/**
 * A query whose answer comes in PostgreSQL's binary format: packed samples as text would be hexadecimal, twice the size. A bigint
 * becomes a number: ours count rows and pushes.
 * @throws Error for a column of a type that is not listed above.
 */
export async function binaryQuery<Row extends pg.QueryResultRow>(client: pg.ClientBase, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await client.query<Row>(Object.assign({ text, values, binary: true }, { types: { getTypeParser } }));
  return rows;
}

function getTypeParser(oid: number): (bytes: Buffer) => unknown {
  const reader = READERS[oid];
  if (reader === undefined) throw new Error(`binaryQuery has no reader for type ${oid}`);
  return reader;
}
