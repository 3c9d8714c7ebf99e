import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail, IncidentPage, IncidentState, Severity } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export interface IncidentQuestion {
  readonly states: readonly IncidentState[];
  readonly severities: readonly Severity[];
  readonly runId: number | null;
  readonly cursor: string | null;
}
export const INCIDENTS_PAGE_SIZE = 50;

/** The inbox: unacknowledged severity first, then cost rate. */
export function useIncidents(question: IncidentQuestion): Loaded<IncidentPage> {
  const trpc = useTRPC();
  const input = { ...question, states: [...question.states], severities: [...question.severities], limit: INCIDENTS_PAGE_SIZE };
  return loadedOf(useQuery(trpc.incidents.list.queryOptions(input, { placeholderData: keepPreviousData })));
}

export function useIncident(incidentId: number): Loaded<IncidentDetail> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.incidents.get.queryOptions({ incidentId })));
}

export interface IncidentVerbs {
  readonly acknowledge: Verb<{ readonly incidentId: number }>;
  readonly resolve: Verb<{ readonly incidentId: number; readonly reason: string }>;
  readonly reopen: Verb<{ readonly incidentId: number; readonly reason: string }>;
  readonly decide: Verb<{
    readonly adviceId: number;
    readonly verdict: "accepted" | "declined";
    readonly reason: string;
    readonly confirmName?: string;
  }>;
}

/** Verbs on incidents. Each refreshes the incident, the inbox, the counts and the audit trail. */
export function useIncidentVerbs(): IncidentVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all(
      [trpc.incidents.pathFilter(), trpc.overview.pathFilter(), trpc.status.pathFilter(), trpc.audit.pathFilter()].map((filter) =>
        queries.invalidateQueries(filter),
      ),
    );
  return {
    acknowledge: verbOf(useMutation(trpc.incidents.acknowledge.mutationOptions({ onSuccess }))),
    resolve: verbOf(useMutation(trpc.incidents.resolve.mutationOptions({ onSuccess }))),
    reopen: verbOf(useMutation(trpc.incidents.reopen.mutationOptions({ onSuccess }))),
    decide: verbOf(useMutation(trpc.decisions.decide.mutationOptions({ onSuccess }))),
  };
}
