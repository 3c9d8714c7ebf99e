export { type Actor, isAllowed, LOCAL_ACTOR } from "./auth/actor.ts";
export { actorOfHeader, actorOfSession, actorOfToken, scopeMissing, tokenMissing } from "./auth/authenticate.ts";
export { hashSecret, newToken, secretPrefix } from "./auth/secret.ts";
export { closeSession, openSession, SESSION_MS, type NewSession } from "./auth/sessions.ts";
export type { ApiContext } from "./context.ts";
export { ERROR_EDGES, errorBody, explainError } from "./errors.ts";
export {
  type AskedSeries,
  createFleetIngest,
  type Fault,
  type FleetIngest,
  isCurrent,
  isFault,
  type KnownSeries,
  type Readings,
  type ReadingsAnswer,
  type SeriesBook,
  type TimeBounds,
} from "./fleet-ingest/index.ts";
export * from "./clock/index.ts";
export * from "./fleet-ticks/index.ts";
export { createFleetViews } from "./fleet/fleet-views.ts";
export { placementsAt } from "./fleet/placements-at.ts";
export { whereaboutsOf, type Whereabouts } from "./fleet/whereabouts.ts";
export type { LayoutCore } from "./fleet/layout-core.ts";
export type { FleetViews } from "./fleet/fleet-views-contract.ts";
export { quoteBareNonFinite } from "./ingest/index.ts";
export { createMoveHub, mergeMoves, type MoveHub } from "./live/move-hub.ts";
export { movesSince } from "./live/moves-since.ts";
export type { MoveFeed } from "./live/move-feed.ts";
export { proposeForIncident } from "./advice/propose-advice.ts";
export type { PostResult } from "./notices/send/post-json.ts";
export { sendNotice } from "./notices/send/send-notice.ts";
export { SNOOZE_IS_OVER, tellByClock } from "./notices/tell-by-clock.ts";
export { NOTICE_ACTOR, tellChanges, tellIncident, tellNewcomers } from "./notices/tell-incident.ts";
export { rulesInForce, type RuleQuestion, type RulesInForce } from "./rules/rules-in-force.ts";
export { createComparisons, type Comparisons } from "./releases/comparisons.ts";
export { createSignalCache, type SignalCache } from "./series/signal-cache.ts";
export { appRouter, createCaller, type AppRouter } from "./root.ts";
export { weighAlike } from "@trainwatch/decide";
export { assessIncident } from "./causes/assess-incident.ts";
export { backtest, backtestInput, type BacktestRequest, type BacktestServices } from "./backtest/backtest.ts";
export { detectorHealth } from "./detectors/health.ts";
