import { AppError } from "@trainwatch/core";

/** Where a page ended, as one opaque word: the sort keys of its last row. */
export function encodeCursor(keys: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/**
 * The sort keys behind a cursor, as many as asked for.
 * @throws AppError `bad-request` where the word is none that {@link encodeCursor} made
 */
export function decodeCursor(cursor: string, length: number): readonly (string | number)[] {
  const keys = parse(cursor);
  if (!Array.isArray(keys) || keys.length !== length || !keys.every(isKey)) {
    throw new AppError("bad-request", "The cursor is not one that a page has given as `next`. Start again without it.", {
      details: { cursor },
    });
  }
  return keys;
}

function isKey(key: unknown): key is string | number {
  return typeof key === "string" || typeof key === "number";
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return null;
  }
}
