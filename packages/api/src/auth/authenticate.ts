import { AppError, type Scope } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import type { Actor } from "./actor.ts";
import { hashSecret } from "./secret.ts";

/** What every verb says to who has shown nothing. */
export function tokenMissing(): AppError {
  return new AppError(
    "unauthenticated",
    "This needs a token: send `Authorization: Bearer tw_…`, or sign in on the page. `trainwatch token create` makes one.",
  );
}

/** What every verb and receiver says to who may not call it. */
export function scopeMissing({ name, scopes }: Actor, scope: Scope, path: string): AppError {
  return new AppError(
    "forbidden",
    `Token "${name}" lacks the scope ${scope} that ${path} needs. \`trainwatch token create --scope ${scope}\` makes one that has it.`,
    { details: { scope, held: scopes } },
  );
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The actor behind an `Authorization` header.
 * @throws AppError `unauthenticated` for a header that is no bearer token, and for a token that is unknown or revoked
 */
export async function actorOfHeader(records: Records, header: string, nowMs: number): Promise<Actor> {
  const secret = BEARER.exec(header)?.[1];
  if (secret === undefined) throw new AppError("unauthenticated", "The Authorization header must read `Bearer tw_…`.");
  return actorOfToken(records, secret, nowMs);
}

/** @throws AppError `unauthenticated` where the token is unknown or revoked */
export async function actorOfToken(records: Records, secret: string, nowMs: number): Promise<Actor> {
  const token = await records.tokens.use(hashSecret(secret), nowMs);
  if (token === null) {
    throw new AppError(
      "unauthenticated",
      "This token is unknown or has been revoked. `trainwatch token list` shows what there is; `trainwatch token create` makes a new one.",
    );
  }
  return { name: token.name, scopes: token.scopes, tokenId: token.id, via: "bearer" };
}

/** The actor behind a browser's cookie; null when the session is unknown or over, or its token has been revoked. */
export async function actorOfSession(records: Records, sessionId: string, nowMs: number): Promise<Actor | null> {
  const token = await records.sessions.tokenOf(hashSecret(sessionId), nowMs);
  return token === null ? null : { name: token.name, scopes: token.scopes, tokenId: token.id, via: "session" };
}
