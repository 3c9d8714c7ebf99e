export { canonicalJson } from "./canonical-json.ts";
export type { NewBatch, StoredBatch } from "./batch-rows.ts";
export { type Ingest, type IngestTransaction, type LockedRun, createIngest } from "./ingest.ts";
export type { RunMove } from "./run-rows.ts";
export type { FoundSeries, NamedSeries } from "./series-rows.ts";
