export { clockFacts, endedFacts, type ClockSources } from "./clock-facts.ts";
export { NEWEST_MARKS, STILL_MS } from "./limits.ts";
export { trafficShare } from "./traffic-share.ts";
