import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { sayInteger } from "@trainwatch/core";
import { systemFault } from "./input-fault.ts";
import type { InputFault } from "./input-fault.ts";

/** What is to be read; the fault, if any, is known once the chunks have been taken. */
export interface ByteSource {
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Null while all is well. After the last chunk: why there are no more. */
  fault(): InputFault | null;
}

const CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** Bytes of a file or of standard input (`-`), decompressed where the content (never the name) says gzip. Holds a few chunks. */
export function readBytes(path: string, stdin: Readable): ByteSource {
  let fault: InputFault | null = null;
  return {
    fault: () => fault,
    async *chunks() {
      let given = 0;
      const file = path === "-" ? stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
      const raw = new RawBytes(file);
      try {
        const first = await raw.first();
        const isPacked = GZIP_MAGIC.every((byte, index) => first[index] === byte);
        for await (const chunk of isPacked ? gunzipped(raw) : raw.all()) {
          given += chunk.length;
          yield chunk;
        }
      } catch (error) {
        fault = isZlibError(error) ? truncated(path, error, given) : systemFault(path, error);
      } finally {
        file.destroy();
      }
    },
  };
}

/** A stream read by hand, so that its first bytes can be looked at before it is decided what they are. */
class RawBytes {
  private readonly iterator: AsyncIterator<unknown>;
  private head: Uint8Array = new Uint8Array(0);

  constructor(stream: Readable) {
    this.iterator = stream[Symbol.asyncIterator]();
  }

  /** At least two bytes, unless there are fewer. */
  async first(): Promise<Uint8Array> {
    while (this.head.length < GZIP_MAGIC.length) {
      const chunk = await this.next();
      if (chunk === undefined) break;
      this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
    }
    return this.head;
  }

  async *all(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.head.length > 0) yield this.head;
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
  }

  private async next(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.iterator.next();
    if (done === true) return undefined;
    if (!(value instanceof Uint8Array)) throw new TypeError("a byte stream gave something else than bytes");
    return value;
  }
}

/**
 * Feeds the decompressor by hand: piping would end the reading side with an error that hides what was decompressed before it,
 * and what can be read of a cut file is worth having. Concatenated members are one file, as `gzip -d` has it.
 */
async function* gunzipped(raw: RawBytes): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const feeding = feed(raw, gunzip);
  // Handled here so that a failing source does not become an unhandled rejection while the reader waits for the decompressor.
  const fed = feeding.then(
    () => null,
    (error: unknown) => {
      gunzip.destroy(error instanceof Error ? error : new Error(String(error)));
      return error;
    },
  );
  for await (const chunk of gunzip) {
    if (chunk instanceof Uint8Array) yield chunk;
  }
  const failure = await fed;
  if (failure !== null) throw failure;
}

async function feed(raw: RawBytes, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  for await (const chunk of raw.all()) {
    if (gunzip.destroyed) return;
    if (!gunzip.write(chunk)) await drained(gunzip);
  }
  gunzip.end();
}

function drained(gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      gunzip.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    gunzip.on("drain", done).on("close", done).on("error", done);
  });
}

function isZlibError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}

function truncated(path: string, error: { readonly code: string }, unpacked: number): InputFault {
  const what = error.code === "Z_BUF_ERROR" ? "ends early" : "is damaged";
  return {
    code: "truncated",
    message: `${path}: the gzip stream ${what} after ${sayInteger(unpacked)} unpacked bytes; what came before was read, copy the file again for the rest.`,
  };
}
