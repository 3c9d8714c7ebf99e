export * from "./contract.ts";
export { createLineage } from "./lineage.ts";
export { type PlacedBatch, placeBatch } from "./batch.ts";
export { type AttemptSpan, type EffectiveView, type StepRange, effectiveLine, effectiveView } from "./effective-view.ts";
export { lineOf } from "./line-of.ts";
