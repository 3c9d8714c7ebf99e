import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail, IncidentPage, IncidentState, Label, Severity } from "@trainwatch/core";
import { failureOf } from "./failure.ts";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC, useTRPCClient } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export interface IncidentQuestion {
  readonly states: readonly IncidentState[];
  readonly severities: readonly Severity[];
  /** What people said of the alarm; `none` is nothing so far. Left out: any. */
  readonly labels?: readonly (Label | "none")[];
  readonly runId: number | null;
  readonly cursor: string | null;
}
export const INCIDENTS_PAGE_SIZE = 50;

/** The inbox: unacknowledged severity first, then cost rate. */
export function useIncidents(question: IncidentQuestion): Loaded<IncidentPage> {
  const trpc = useTRPC();
  const input = {
    ...question,
    states: [...question.states],
    severities: [...question.severities],
    labels: [...(question.labels ?? [])],
    limit: INCIDENTS_PAGE_SIZE,
  };
  return loadedOf(useQuery(trpc.incidents.list.queryOptions(input, { placeholderData: keepPreviousData })));
}

export function useIncident(incidentId: number): Loaded<IncidentDetail> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.incidents.get.queryOptions({ incidentId })));
}

interface OfIncident {
  readonly incidentId: number;
}

export interface IncidentVerbs {
  readonly acknowledge: Verb<OfIncident>;
  readonly assign: Verb<OfIncident & { readonly owner: string }>;
  readonly unassign: Verb<OfIncident>;
  readonly snooze: Verb<OfIncident & { readonly untilMs: number; readonly reason: string }>;
  /** `text` is Markdown. */
  readonly comment: Verb<OfIncident & { readonly text: string }>;
  readonly label: Verb<OfIncident & { readonly label: Label; readonly reason: string }>;
  readonly resolve: Verb<OfIncident & { readonly reason: string }>;
  readonly reopen: Verb<OfIncident & { readonly reason: string }>;
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
  const onSuccess = useRefreshIncidents();
  return {
    acknowledge: verbOf(useMutation(trpc.incidents.acknowledge.mutationOptions({ onSuccess }))),
    assign: verbOf(useMutation(trpc.incidents.assign.mutationOptions({ onSuccess }))),
    unassign: verbOf(useMutation(trpc.incidents.unassign.mutationOptions({ onSuccess }))),
    snooze: verbOf(useMutation(trpc.incidents.snooze.mutationOptions({ onSuccess }))),
    comment: verbOf(useMutation(trpc.incidents.comment.mutationOptions({ onSuccess }))),
    label: verbOf(useMutation(trpc.incidents.label.mutationOptions({ onSuccess }))),
    resolve: verbOf(useMutation(trpc.incidents.resolve.mutationOptions({ onSuccess }))),
    reopen: verbOf(useMutation(trpc.incidents.reopen.mutationOptions({ onSuccess }))),
    decide: verbOf(useMutation(trpc.decisions.decide.mutationOptions({ onSuccess }))),
  };
}

/** Everything that tells of incidents is asked for again. */
export function useRefreshIncidents(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [trpc.incidents.pathFilter(), trpc.overview.pathFilter(), trpc.status.pathFilter(), trpc.audit.pathFilter()].map((filter) =>
        queries.invalidateQueries(filter),
      ),
    );
}

/** Acknowledges several, one after the other; those that were refused are told with their reason and stay as they are. */
export function useAcknowledgeAll(): Verb<readonly number[], readonly string[]> {
  const client = useTRPCClient();
  const onSuccess = useRefreshIncidents();
  return verbOf(
    useMutation({
      mutationFn: async (incidentIds: readonly number[]): Promise<readonly string[]> => {
        const refused: string[] = [];
        for (const incidentId of incidentIds) {
          try {
            await client.incidents.acknowledge.mutate({ incidentId });
          } catch (error) {
            refused.push(`#${incidentId}: ${failureOf(error).message}`);
          }
        }
        return refused;
      },
      onSuccess,
    }),
  );
}
