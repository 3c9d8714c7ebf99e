export type * from "./format.ts";
export * from "./detect.ts";
export type { Recognition, Refusal } from "./recognise.ts";
export * from "./evals/index.ts";
export * from "./exposition/index.ts";
export * from "./flight-recorder/index.ts";
export * from "./health/index.ts";
export * from "./measurements/index.ts";
export { FORMATS } from "./registry.ts";
