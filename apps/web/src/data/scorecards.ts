import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ScorecardPage, TrendView } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

const SCORECARDS_PAGE_SIZE = 50;

/** Scorecards whose model, run or step has the words; the newest first. */
export function useScorecards(query: string, runId: number | null = null): Loaded<ScorecardPage> {
  const trpc = useTRPC();
  const input = { runId, query: query.trim(), limit: SCORECARDS_PAGE_SIZE, cursor: null };
  return loadedOf(useQuery(trpc.scorecards.list.queryOptions(input, { placeholderData: keepPreviousData })));
}

/** Every measure of a run over its checkpoints, with its peak. */
export function useTrends(runId: number): Loaded<readonly TrendView[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.scorecards.trend.queryOptions({ runId })));
}
