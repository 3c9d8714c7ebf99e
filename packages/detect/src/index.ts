export type { AttemptMonitor, DetectorEntry, DetectorInstance, MonitorContext } from "./contract.ts";
export { type FlightAnalysis, type GroupWait, rankSuspects, type Suspect, type SuspectCause } from "./flight-recorder/index.ts";
export { createMonitor, monitorOf } from "./monitor.ts";
export { DETECTORS } from "./registry.ts";
export { newWatch, resumeWatch, type AttemptWatch } from "./watch/attempt-watch.ts";
export type { RankSample } from "./watch/rank-mean.ts";
