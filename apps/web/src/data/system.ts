import { skipToken, useQuery } from "@tanstack/react-query";
import type { Overview, SystemStatus } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

/** Also the heartbeat by which a lost connection is noticed: with the request's time-out it shows within 10 s. */
export const STATUS_POLL_MS = 4_000;

/** The foot of every page. Polled while the tab is seen. */
export function useStatus(enabled = true): Loaded<SystemStatus> {
  const trpc = useTRPC();
  return loadedOf(
    useQuery(trpc.status.get.queryOptions(enabled ? undefined : skipToken, { refetchInterval: STATUS_POLL_MS, retry: false })),
  );
}

export function useOverview(): Loaded<Overview> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.overview.get.queryOptions()));
}
