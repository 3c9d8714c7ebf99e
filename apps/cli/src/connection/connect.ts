import type { AppRouter } from "@trainwatch/api";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";

export type Client = TRPCClient<AppRouter>;

export interface Connection {
  /** Such as `http://localhost:4400`. */
  readonly url: string;
  readonly token: string;
}

/** The verbs of a server, with a token. */
export function connect({ url, token }: Connection): Client {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${token}` } })] });
}
