import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SCOPES, type Scope } from "@trainwatch/core";
import { useCallback, useEffect, useState } from "react";
import { contactFetch, REQUEST_TIMEOUT_MS } from "./contact-fetch.ts";
import type { Contact } from "./contact.ts";
import { useDataServices } from "./provider.tsx";

const SESSION_PATH = "/auth/session";
const WHO_PATH = "/auth/whoami";

/** Who the browser's cookie stands for. */
export interface Person {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

function personOf(body: unknown): Person | null {
  const name = fieldOf(body, "name");
  const scopes = fieldOf(body, "scopes");
  if (fieldOf(body, "signedIn") !== true || typeof name !== "string" || !Array.isArray(scopes)) return null;
  return { name, scopes: SCOPES.filter((scope) => scopes.includes(scope)) };
}

/** Asking who one is also signs in a browser on the server's own machine, where the server allows that. */
function whoOptions(contact: Contact) {
  return queryOptions({
    queryKey: [["auth", "whoami"]],
    queryFn: async ({ signal }): Promise<Person | null> => {
      const response = await contactFetch(contact, REQUEST_TIMEOUT_MS)(WHO_PATH, { signal });
      return personOf(await response.json());
    },
    staleTime: 60_000,
  });
}

/** Null until the server has said, and where nobody is signed in. */
export function usePerson(): Person | null {
  const { contact } = useDataServices();
  return useQuery(whoOptions(contact)).data ?? null;
}

export interface SignIn {
  readonly send: (token: string) => void;
  readonly isSending: boolean;
  /** A sentence for the reader; null before and after a success. */
  readonly refusal: string | null;
}

/** Exchanges a pasted token for the HttpOnly cookie; the token itself is not kept anywhere in the browser. */
export function useSignIn(): SignIn {
  const { contact } = useDataServices();
  const enter = useEnter();
  const mutation = useMutation({
    mutationFn: async (token: string): Promise<string | null> => {
      const response = await contactFetch(contact, REQUEST_TIMEOUT_MS)(SESSION_PATH, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
      const body: unknown = await response.json().catch(() => null);
      if (response.ok) return null;
      const message = fieldOf(fieldOf(body, "error"), "message");
      return typeof message === "string" ? message : `The server answered ${response.status}.`;
    },
    onSuccess: (refusal) => {
      if (refusal === null) enter();
    },
  });
  const unreachable = mutation.isError ? "The server did not answer. Check that it runs, then try again." : null;
  return { send: (token) => mutation.mutate(token), isSending: mutation.isPending, refusal: mutation.data ?? unreachable };
}

/** Tries once to be let in without a token, unless the person has just left. */
export function useLocalSignIn(): void {
  const { contact, session } = useDataServices();
  const enter = useEnter();
  const [isAsked] = useState(() => session.mayEnterLocally());
  const { data: person } = useQuery({ ...whoOptions(contact), queryKey: [["auth", "enter"]], enabled: isAsked, staleTime: 0 });
  const isKnown = person !== null && person !== undefined;
  useEffect(() => {
    if (isKnown) enter();
  }, [isKnown, enter]);
}

function useEnter(): () => void {
  const { session } = useDataServices();
  const queries = useQueryClient();
  return useCallback(() => {
    queries.clear();
    session.entered();
  }, [queries, session]);
}

export function useSignOut(): () => void {
  const { contact, session } = useDataServices();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => contactFetch(contact, REQUEST_TIMEOUT_MS)(SESSION_PATH, { method: "DELETE" }),
    onSuccess: () => {
      session.left();
      queries.clear();
    },
  });
  return () => mutation.mutate();
}
