export * from "./contract.ts";
export { createLineage } from "./lineage.ts";
export { type PlacedBatch, correctPlaced, placeBatch } from "./batch.ts";
