import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** Appends fields of one row in PostgreSQL's binary COPY format, in the order of the columns. */
export interface RowWriter {
  row(fields: number): void;
  int2(value: number): void;
  int4(value: number): void;
  int8(value: number): void;
  float8(value: number | null): void;
  bool(value: boolean): void;
  bytea(value: Buffer): void;
}

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const CHUNK_BYTES = 65_536;

/**
 * Sends rows by binary COPY: the quickest way in, and no SQL text grows with the number of rows.
 * @param target table and column list, such as `samples.block (a, b)`; never from outside input.
 */
export async function copyRows(client: pg.ClientBase, target: string, write: (writer: RowWriter) => void): Promise<void> {
  const chunks: Buffer[] = [SIGNATURE];
  const writer = rowWriter((chunk) => chunks.push(chunk));
  write(writer);
  writer.end();
  await pipeline(Readable.from(chunks), client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`)));
}

/** Fields go one behind the other into chunks of 64 kB: a buffer of its own for each costs more than all that is written. */
function rowWriter(emit: (chunk: Buffer) => void): RowWriter & { end(): void } {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = 0;
  const flush = (): void => {
    if (at > 0) emit(chunk.subarray(0, at));
    chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    at = 0;
  };
  const room = (bytes: number): void => {
    if (at + bytes > CHUNK_BYTES) flush();
  };
  /** Makes room for a field and writes its length. */
  const enter = (length: number): void => {
    room(4 + length);
    at = chunk.writeInt32BE(length, at);
  };
  return {
    row(fields) {
      room(2);
      at = chunk.writeInt16BE(fields, at);
    },
    int2(value) {
      enter(2);
      at = chunk.writeInt16BE(value, at);
    },
    int4(value) {
      enter(4);
      at = chunk.writeInt32BE(value, at);
    },
    int8(value) {
      enter(8);
      at = chunk.writeBigInt64BE(BigInt(value), at);
    },
    float8(value) {
      if (value === null) {
        room(4);
        at = chunk.writeInt32BE(-1, at);
      } else {
        enter(8);
        at = chunk.writeDoubleBE(value, at);
      }
    },
    bool(value) {
      enter(1);
      at = chunk.writeUInt8(value ? 1 : 0, at);
    },
    bytea(value) {
      // One larger than a chunk goes by itself.
      if (4 + value.length > CHUNK_BYTES) {
        room(4);
        at = chunk.writeInt32BE(value.length, at);
        flush();
        emit(value);
        return;
      }
      enter(value.length);
      chunk.set(value, at);
      at += value.length;
    },
    end() {
      room(2);
      at = chunk.writeInt16BE(-1, at);
      flush();
    },
  };
}
