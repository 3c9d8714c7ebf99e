export * from "./runs.ts";
export * from "./series.ts";
export * from "./incidents.ts";
export * from "./system.ts";
export * from "./fleet.ts";
export * from "./notices.ts";
export * from "./detectors.ts";
export * from "./backtest.ts";
