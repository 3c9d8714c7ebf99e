export type * from "./format.ts";
export * from "./detect.ts";
export { FORMATS } from "./registry.ts";
