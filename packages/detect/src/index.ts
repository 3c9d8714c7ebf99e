export type { AttemptMonitor, DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "./contract.ts";
export { type FlightAnalysis, type GroupWait, rankSuspects, type Suspect, type SuspectCause } from "./flight-recorder/index.ts";
export { createMonitor, monitorOf } from "./monitor.ts";
export { HELD_OUT_PREFIX, heldOutDirection } from "./post-training/held-out.ts";
export { PEAK_CONFIDENCE, WATCHED_SCORES } from "./post-training/over-optimisation.ts";
export { fitRewardCeiling, isTokenEntropy, rewardLeft, sayRewardLeft } from "./post-training/reward-ceiling.ts";
export { DETECTORS } from "./registry.ts";
export { DETECTOR_QUALITY, QUALITY_COMMAND, type MeasuredQuality } from "./quality.ts";
export type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "./rank/contract.ts";
export { createRankMonitor, rankMonitorOf, type RankMonitor } from "./rank/rank-monitor.ts";
export { RANK_DETECTORS } from "./rank/registry.ts";
export { newWatch, RANK_METRICS, resumeWatch, type AttemptWatch } from "./watch/attempt-watch.ts";
export { NEW_PACE, logEveryOf, observePace, stepTimeOf, type PaceState } from "./watch/pace.ts";
export { rankOf } from "./watch/rank-label.ts";
export { createRankMean, type RankMean, type RankSample, type RankState } from "./watch/rank-mean.ts";
export { CLOCK_DETECTORS, createClockWatch, type ClockDetectorEntry, type ClockFacts, type ClockWatch } from "./clock/index.ts";
export { checkParameters, overridesOf, parametersOf } from "./parameters.ts";
export { createMetricRule, type MetricRuleSpec } from "./metric-rule/metric-rule.ts";
export type {
  FleetColumn,
  FleetContext,
  FleetDetectorEntry,
  FleetDetectorInstance,
  FleetGpuPlace,
  FleetTick,
  FleetTopology,
  FleetWatch,
} from "./fleet/contract.ts";
export { FLEET_TICK_MS } from "./fleet/contract.ts";
export { createFleetWatch, fleetWatchOf, type FleetWatchContext } from "./fleet/fleet-watch.ts";
export { FLEET_DETECTORS, FLEET_DETECTOR_FIELDS } from "./fleet/registry.ts";
export type { MeasuredFact, MeasuredSeries } from "./measurements/contract.ts";
export { judgeMeasurements } from "./measurements/judge-measurements.ts";
