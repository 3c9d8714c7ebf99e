import type { DetectorEntry } from "../contract.ts";

/** A clock detector's manual: it reads no metric but what has not happened. */
export type ClockDetectorEntry = Omit<DetectorEntry, "create" | "metrics">;
