/**
 * Whether the browser's cookie is accepted. It is HttpOnly, so only an answer of the server can tell. `left`: the person signed out,
 * and is not signed in again behind their back.
 */
export type SessionState = "unknown" | "signed-in" | "signed-out" | "left";

export interface Session {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => SessionState;
  /** A verb was answered. */
  readonly accepted: () => void;
  /** A verb was refused for want of a session. */
  readonly refused: () => void;
  /** A new cookie has come: ask again. */
  readonly entered: () => void;
  readonly left: () => void;
  /** True once between two accepted verbs: a browser that keeps no cookie must not be let in for ever. */
  readonly mayEnterLocally: () => boolean;
}

export function createSession(): Session {
  const listeners = new Set<() => void>();
  let state: SessionState = "unknown";
  let triedLocally = false;
  const change = (next: SessionState): void => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    accepted() {
      // An answer that was on its way when the person left changes nothing.
      if (state !== "unknown") return;
      triedLocally = false;
      change("signed-in");
    },
    refused() {
      if (state !== "left") change("signed-out");
    },
    entered: () => change("unknown"),
    left: () => change("left"),
    mayEnterLocally() {
      if (state !== "signed-out" || triedLocally) return false;
      triedLocally = true;
      return true;
    },
  };
}
