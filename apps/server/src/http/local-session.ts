import { actorOfSession, openSession, SESSION_MS, type Actor, type NewSession } from "@trainwatch/api";
import type { Store } from "@trainwatch/store";

/** The one session that browsers on this machine share. */
export interface LocalSession {
  /** A session that is good for at least half its time, and who it makes of the bearer. */
  lend(): Promise<{ readonly session: NewSession; readonly actor: Actor | null }>;
}

/**
 * Whoever asks without a cookie from this machine is signed in, and a program may do so every second: a session for each would fill the
 * table. They are all the same person to us, so they get the same one, opened anew where it has ended (a sign-out, a revoked token).
 */
export function createLocalSession({ records }: Pick<Store, "records">, tokenId: number, now: () => number): LocalSession {
  let lending: Promise<NewSession> | null = null;

  const open = (): Promise<NewSession> => {
    const opening = openSession(records, tokenId, now());
    lending = opening;
    // What could not be opened is not to be lent for ever.
    opening.catch(() => {
      if (lending === opening) lending = null;
    });
    return opening;
  };

  return {
    async lend() {
      const lent = lending ?? open();
      const held = await lent;
      const actor = held.expiresAtMs - now() < SESSION_MS / 2 ? null : await actorOfSession(records, held.sessionId, now());
      if (actor !== null) return { session: held, actor };
      // Of several that find it ended one opens the next.
      const next = await (lending === null || lending === lent ? open() : lending);
      return { session: next, actor: await actorOfSession(records, next.sessionId, now()) };
    },
  };
}
