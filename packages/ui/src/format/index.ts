export * from "./number.ts";
export * from "./duration.ts";
export * from "./time.ts";
export * from "./metric-value.ts";
