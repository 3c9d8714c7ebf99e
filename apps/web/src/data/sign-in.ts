import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Scope } from "@trainwatch/core";
import { contactFetch, REQUEST_TIMEOUT_MS } from "./contact-fetch.ts";
import type { Contact } from "./contact.ts";
import { useDataServices } from "./provider.tsx";

const SESSION_PATH = "/auth/session";

/** Who the browser's cookie stands for. */
export interface Person {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

function personOptions(contact: Contact) {
  return queryOptions({
    queryKey: [["auth", "session"]],
    queryFn: async ({ signal }): Promise<Person | null> => {
      const response = await contactFetch(contact, REQUEST_TIMEOUT_MS)(SESSION_PATH, { signal });
      if (response.status === 401) return null;
      if (!response.ok) throw new Error(`the server answered ${response.status} on ${SESSION_PATH}`);
      const body: Person = await response.json();
      return body;
    },
    staleTime: 60_000,
  });
}

/** Null until the server has said, and where nobody is signed in. */
export function usePerson(): Person | null {
  const { contact } = useDataServices();
  return useQuery(personOptions(contact)).data ?? null;
}

export interface SignIn {
  readonly send: (token: string) => void;
  readonly isSending: boolean;
  /** A sentence for the reader; null before and after a success. */
  readonly refusal: string | null;
}

async function refusalOf(response: Response): Promise<string> {
  if (response.status === 429) return "Too many tries. Wait a minute, then paste the token again.";
  const body: unknown = await response.json().catch(() => null);
  const message: unknown = typeof body === "object" && body !== null && "message" in body ? body.message : null;
  return typeof message === "string" ? message : `The server answered ${response.status}. Make a new token with \`trainwatch token create\`.`;
}

/** Exchanges a pasted token for the HttpOnly cookie; the token itself is not kept anywhere in the browser. */
export function useSignIn(): SignIn {
  const { contact, session } = useDataServices();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: async (token: string): Promise<string | null> => {
      const response = await contactFetch(contact, REQUEST_TIMEOUT_MS)(SESSION_PATH, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
      return response.ok ? null : refusalOf(response);
    },
    onSuccess: (refusal) => {
      if (refusal !== null) return;
      queries.clear();
      session.set("signed-in");
    },
  });
  const unreachable = mutation.isError ? "The server did not answer. Check that it runs, then try again." : null;
  return { send: (token) => mutation.mutate(token), isSending: mutation.isPending, refusal: mutation.data ?? unreachable };
}

export function useSignOut(): () => void {
  const { contact, session } = useDataServices();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => contactFetch(contact, REQUEST_TIMEOUT_MS)(SESSION_PATH, { method: "DELETE" }),
    onSuccess: () => {
      session.set("signed-out");
      queries.clear();
    },
  });
  return () => mutation.mutate();
}
