import type { Records } from "@trainwatch/store";
import { hashSecret, newSessionId } from "./secret.ts";

/** A fortnight: an on-call rota. Revoking the token ends its sessions at once. */
export const SESSION_MS = 14 * 24 * 3_600_000;

export interface NewSession {
  /** Goes into the cookie and is never stored. */
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

export async function openSession(records: Records, tokenId: number, nowMs: number): Promise<NewSession> {
  const { secret, hash } = newSessionId();
  const expiresAtMs = nowMs + SESSION_MS;
  await records.sessions.create({ hash, tokenId, createdAtMs: nowMs, expiresAtMs });
  return { sessionId: secret, expiresAtMs };
}

export async function closeSession(records: Records, sessionId: string): Promise<void> {
  await records.sessions.delete(hashSecret(sessionId));
}
