import { readFile } from "node:fs/promises";
import { replaceFile } from "./segment-files.ts";

/** A place in a spool: all before it has been acknowledged. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

export const BEGINNING: Position = { segment: 0, offset: 0 };

/** The beginning where there is none, or one that a crash has spoiled: what is sent again is known to the server. */
export async function readPosition(path: string): Promise<Position> {
  try {
    const [segment, offset] = (await readFile(path, "utf8")).trim().split(" ").map(Number);
    return Number.isSafeInteger(segment) && Number.isSafeInteger(offset) ? { segment: segment ?? 0, offset: offset ?? 0 } : BEGINNING;
  } catch {
    return BEGINNING;
  }
}

export async function writePosition(path: string, { segment, offset }: Position): Promise<void> {
  await replaceFile(path, `${segment} ${offset}\n`, false);
}
