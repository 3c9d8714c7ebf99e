export * from "./prepare/release/index.ts";
export * from "./draw/release/index.ts";
