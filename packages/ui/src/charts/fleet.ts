export * from "./prepare/fleet/index.ts";
export * from "./draw/fleet/index.ts";
