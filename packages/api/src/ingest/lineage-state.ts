import type { LineageState } from "@trainwatch/core";
import { EMPTY_BOOK, type SourceBook } from "./source-book.ts";

/** What pushes leave for the next one to tell attempts and writers apart by. */
export interface StoredLineage {
  readonly version: 1;
  readonly lineage: LineageState | null;
  readonly sources: SourceBook;
}

/**
 * Reads what `saveLineage` was given; nothing has been stored before the first push.
 * @throws Error for a state of another version: a newer server has written it.
 */
export function readLineageState(stored: unknown): StoredLineage {
  if (stored === undefined) return { version: 1, lineage: null, sources: EMPTY_BOOK };
  if (!isStored(stored)) throw new Error("the stored lineage of this run is of a version that this server does not know");
  return stored;
}

function isStored(stored: unknown): stored is StoredLineage {
  return (
    typeof stored === "object" &&
    stored !== null &&
    "version" in stored &&
    stored.version === 1 &&
    "lineage" in stored &&
    "sources" in stored
  );
}
