export type * from "./format.ts";
export * from "./detect.ts";
export { EVAL_FORMATS } from "./registry.ts";
