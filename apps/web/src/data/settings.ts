import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AuditPage, Scope, Settings, TokenView } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export function useTokens(): Loaded<readonly TokenView[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.tokens.list.queryOptions()));
}

export interface TokenVerbs {
  /** The answer holds the secret, once. */
  readonly create: Verb<{ readonly name: string; readonly scopes: Scope[] }, { readonly secret: string }>;
  readonly revoke: Verb<{ readonly tokenId: number }>;
}

export function useTokenVerbs(): TokenVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(trpc.tokens.pathFilter());
  return {
    create: verbOf(useMutation(trpc.tokens.create.mutationOptions({ onSuccess }))),
    revoke: verbOf(useMutation(trpc.tokens.revoke.mutationOptions({ onSuccess }))),
  };
}

export function useSettings(): Loaded<Settings> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.settings.get.queryOptions()));
}

/** What is left out stays as it is. */
export function useSaveSettings(): Verb<Partial<Settings>> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return verbOf(useMutation(trpc.settings.set.mutationOptions({ onSuccess: () => queries.invalidateQueries(trpc.settings.pathFilter()) })));
}

export const AUDIT_PAGE_SIZE = 50;
export function useAudit(cursor: string | null): Loaded<AuditPage> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.audit.list.queryOptions({ cursor, limit: AUDIT_PAGE_SIZE }, { placeholderData: keepPreviousData })));
}
