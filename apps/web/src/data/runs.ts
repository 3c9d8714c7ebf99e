import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FindingPage, MetricKeyPage, RunDetail, RunPage, RunState } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export interface RunQuestion {
  readonly search: string;
  readonly states: readonly RunState[];
  readonly archived: boolean;
  readonly cursor: string | null;
}
export const RUNS_PAGE_SIZE = 25;

/** One page of the run list; answered without reading a sample. */
export function useRuns(question: RunQuestion): Loaded<RunPage> {
  const trpc = useTRPC();
  const input = {
    search: question.search,
    states: [...question.states],
    archived: question.archived,
    cursor: question.cursor,
    limit: RUNS_PAGE_SIZE,
  };
  return loadedOf(useQuery(trpc.runs.list.queryOptions(input, { placeholderData: keepPreviousData })));
}

/** One run; null asks nothing. */
export function useRun(runId: number | null): Loaded<RunDetail> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.runs.get.queryOptions(runId === null ? skipToken : { runId })));
}

/** Metric names of a run, a page at a time; `search` is a part of the name. */
export function useMetricKeys(question: {
  readonly runId: number;
  readonly search: string;
  readonly cursor: string | null;
  readonly limit: number;
}): Loaded<MetricKeyPage> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.runs.metrics.queryOptions(question, { placeholderData: keepPreviousData })));
}

/** The newest findings of a run by detection, and how many there are; pass null to ask nothing. */
export function useFindings(runId: number | null): Loaded<FindingPage> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.findings.list.queryOptions(runId === null ? skipToken : { runId })));
}

export interface RunVerbs {
  readonly archive: Verb<{ readonly runId: number }>;
  readonly unarchive: Verb<{ readonly runId: number }>;
  /** Deletes the run and its samples for good. `confirmName` is what the person typed. */
  readonly delete: Verb<{ readonly runId: number; readonly confirmName: string }>;
}

export function useRunVerbs(): RunVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([queries.invalidateQueries(trpc.runs.pathFilter()), queries.invalidateQueries(trpc.overview.pathFilter())]);
  return {
    archive: verbOf(useMutation(trpc.runs.archive.mutationOptions({ onSuccess }))),
    unarchive: verbOf(useMutation(trpc.runs.unarchive.mutationOptions({ onSuccess }))),
    delete: verbOf(useMutation(trpc.runs.delete.mutationOptions({ onSuccess }))),
  };
}
