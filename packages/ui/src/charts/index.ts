export * from "./prepare/index.ts";
export * from "./draw/index.ts";
