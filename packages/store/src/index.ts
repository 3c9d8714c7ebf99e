export * from "./embedded/index.ts";
export * from "./fleet/index.ts";
export * from "./listen/index.ts";
export * from "./ingest/index.ts";
export * from "./migrate/index.ts";
export * from "./records/index.ts";
export * from "./samples/index.ts";
export { explainDatabase, isConnectionLoss } from "./pool/index.ts";
export { openStore, type Store, type StoreOptions } from "./open-store.ts";
