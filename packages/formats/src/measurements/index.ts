export type * from "./contract.ts";
export { detectMeasurements, MEASUREMENT_FORMATS } from "./registry.ts";
