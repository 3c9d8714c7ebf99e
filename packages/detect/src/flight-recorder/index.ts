export type { GroupWait } from "./group-wait.ts";
export { type FlightAnalysis, rankSuspects, type Suspect, type SuspectCause } from "./rank-suspects.ts";
