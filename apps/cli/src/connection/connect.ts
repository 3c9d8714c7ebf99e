import type { AppRouter } from "@trainwatch/api";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";

export type Client = TRPCClient<AppRouter>;

export interface Connection {
  /** Such as `http://localhost:4400`. */
  readonly url: string;
  /** Null: sign in as this machine does, which a server on loopback allows. */
  readonly token: string | null;
}

/** The verbs of a server, with a token. */
export function connect({ url, token }: Connection & { readonly token: string }): Client {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${token}` } })] });
}
