export type { AttemptMonitor, DetectorEntry, DetectorInstance, MonitorContext } from "./contract.ts";
export { createMonitor, monitorOf } from "./monitor.ts";
export { DETECTORS } from "./registry.ts";
export { newWatch, resumeWatch, type AttemptWatch } from "./watch/attempt-watch.ts";
export type { RankSample } from "./watch/rank-mean.ts";
