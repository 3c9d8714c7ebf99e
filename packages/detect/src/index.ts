export type { AttemptMonitor, DetectorEntry, DetectorInstance, MonitorContext } from "./contract.ts";
export { createMonitor, monitorOf } from "./monitor.ts";
export { DETECTORS } from "./registry.ts";
