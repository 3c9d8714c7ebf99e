import { type Hash, createHash } from "node:crypto";
import { canonicalJson } from "@trainwatch/store";
import type { ParsedPush } from "./parsed-push.ts";

/** SHA-256 of what a push says, hex: the same for bodies that differ in the order of fields or in spaces only. */
export function pushHash(push: ParsedPush): string {
  const { columns, ...head } = push;
  const hash = createHash("sha256").update(canonicalJson(head));
  const body = gathered(hash);
  for (const { series, step, time, value, missing, badIndexes, badValues } of columns) {
    // Bad values came later: without one a push hashes as it did before, or a push resent over an upgrade would be a conflict.
    const bad = badValues.length > 0 ? [badIndexes, badValues] : [badIndexes];
    body.text(JSON.stringify([series, step?.length ?? null, time?.length ?? null, value.length, ...bad]));
    for (const column of [step, time, value, missing]) if (column !== null) body.bytes(column);
  }
  body.end();
  return hash.digest("hex");
}

const PIECE_BYTES = 65_536;

/** Small pieces go to the hash together: a push of a wide run has some thousand columns of one number each. */
function gathered(hash: Hash): { text(text: string): void; bytes(column: Float64Array | Uint8Array): void; end(): void } {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let at = 0;
  const flush = (): void => {
    hash.update(piece.subarray(0, at));
    at = 0;
  };
  const add = (bytes: Uint8Array): void => {
    if (at + bytes.length > PIECE_BYTES) flush();
    if (bytes.length > PIECE_BYTES) {
      hash.update(bytes);
      return;
    }
    piece.set(bytes, at);
    at += bytes.length;
  };
  return {
    text(text) {
      // A character is three bytes at most.
      if (3 * text.length > PIECE_BYTES) {
        add(Buffer.from(text));
        return;
      }
      if (at + 3 * text.length > PIECE_BYTES) flush();
      at += piece.write(text, at);
    },
    bytes: (column) => add(new Uint8Array(column.buffer, column.byteOffset, column.byteLength)),
    end: flush,
  };
}
