import type { LineageState } from "@trainwatch/core";
import type { SourceBook } from "./source-book.ts";

/** What pushes leave for the next one to tell attempts and writers apart by. */
export interface StoredLineage {
  readonly version: 1;
  readonly lineage: LineageState | null;
  readonly sources: SourceBook;
}
