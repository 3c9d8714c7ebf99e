import { SCOPES, type Scope } from "@trainwatch/core";

/** Who asks. The name stands in the audit: it is the token's, until users exist. */
export interface Actor {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly tokenId: number | null;
  /** How the request proved it: a bearer token, the browser's cookie, or the machine's own command line. */
  readonly via: "bearer" | "session" | "local";
}

/** What holding a scope allows. Reading is part of operating; `admin` is everything; `ingest` reads nothing. */
const GRANTS: Readonly<Record<Scope, readonly Scope[]>> = {
  ingest: ["ingest"],
  read: ["read"],
  operate: ["operate", "read"],
  admin: SCOPES,
};

export function isAllowed(actor: Actor, scope: Scope): boolean {
  return actor.scopes.some((held) => GRANTS[held].includes(scope));
}

/** The command line on the server's own machine, which can read the database anyway. */
export const LOCAL_ACTOR: Actor = { name: "local command line", scopes: ["admin"], tokenId: null, via: "local" };
