/** Whether the browser's cookie is accepted. It is HttpOnly, so only an answer of the server can tell. */
export type SessionState = "unknown" | "signed-in" | "signed-out";

export interface Session {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => SessionState;
  readonly set: (state: SessionState) => void;
}

export function createSession(): Session {
  const listeners = new Set<() => void>();
  let state: SessionState = "unknown";
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    set(next) {
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
  };
}
