export * from "./format/index.ts";
export * from "./primitives/index.ts";
export * from "./layout/index.ts";
export * from "./shell/index.ts";
export * from "./incident/index.ts";
export * from "./states/index.ts";
export * from "./markdown/index.ts";
export * from "./release/index.ts";
