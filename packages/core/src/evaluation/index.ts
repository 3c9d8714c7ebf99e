export * from "./dimension.ts";
export * from "./settings.ts";
export * from "./record.ts";
export * from "./push.ts";
export * from "./gate.ts";
export * from "./release.ts";
export * from "./step-of-text.ts";
export { rowKey, rowNameOfKey, type RowName } from "./row-key.ts";
export { describeMeasure, type MeasureDescription, type MeasureName } from "./measure-catalogue.ts";
