import { createHash } from "node:crypto";
import { canonicalJson } from "@trainwatch/store";
import type { ParsedPush } from "./parsed-push.ts";

/** SHA-256 of what a push says, hex: the same for bodies that differ in the order of fields or in spaces only. */
export function pushHash(push: ParsedPush): string {
  const { columns, ...head } = push;
  const hash = createHash("sha256").update(canonicalJson(head));
  for (const { series, step, time, value, missing, badIndexes, badValues } of columns) {
    // Bad values came later: without one a push hashes as it did before, or a push resent over an upgrade would be a conflict.
    const bad = badValues.length > 0 ? [badIndexes, badValues] : [badIndexes];
    hash.update(JSON.stringify([series, step?.length ?? null, time?.length ?? null, value.length, ...bad]));
    for (const column of [step, time, value, missing])
      if (column !== null) hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  return hash.digest("hex");
}
