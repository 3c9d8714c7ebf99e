import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { DetectorPrecision, DetectorsHealth, DetectorView, RuleScope } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

export const EVERYBODY: RuleScope = { runId: null, cluster: null };

/** Every detector, with what is in force of it for a run, a cluster or everybody. */
export function useDetectors(scope: RuleScope = EVERYBODY): Loaded<readonly DetectorView[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.detectors.catalogue.queryOptions(scope, { placeholderData: keepPreviousData })));
}

/** Half a year of labels. */
export const PRECISION_WEEKS = 26;

export function useDetectorPrecision(): Loaded<readonly DetectorPrecision[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.detectors.precision.queryOptions({ weeks: PRECISION_WEEKS })));
}

const HEALTH_POLL_MS = 10_000;

/** Whether the detectors themselves are well: who judges, how far behind, and where they are blind. */
export function useDetectorsHealth(): Loaded<DetectorsHealth> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.detectors.health.queryOptions(undefined, { refetchInterval: HEALTH_POLL_MS })));
}
