export * from "./runs.ts";
export * from "./series.ts";
export * from "./incidents.ts";
export * from "./system.ts";
