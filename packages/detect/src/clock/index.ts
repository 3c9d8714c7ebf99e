export { CLOCK_DETECTORS, createClockWatch } from "./clock-watch.ts";
export type { ClockFacts, ClockWatch } from "./contract.ts";
export type { ClockDetectorEntry } from "./entry.ts";
