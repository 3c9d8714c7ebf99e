/** Whether the server can be reached, and whether its live stream is open. */
export interface ContactState {
  /** `connecting` until the first answer, also while none comes: what was never had is not lost. */
  readonly link: "connecting" | "up" | "lost";
  /** Browser time of the last answer, and of the first request since that had none (epoch ms); null where all had. */
  readonly lastAnswerAtMs: number | null;
  readonly missedAtMs: number | null;
  /** The SSE stream; while it is down, pages ask every few seconds instead. */
  readonly stream: "connecting" | "open" | "down";
}

/** Every request reports here, so that one place knows how the server stands. */
export interface Contact {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => ContactState;
  readonly answered: () => void;
  readonly missed: () => void;
  readonly streamIs: (stream: ContactState["stream"]) => void;
}

export function createContact(now: () => number): Contact {
  const listeners = new Set<() => void>();
  let state: ContactState = { link: "connecting", lastAnswerAtMs: null, missedAtMs: null, stream: "connecting" };
  const change = (next: ContactState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    answered() {
      // The time of each answer is kept without waking the page: only a change of link is news.
      if (state.link === "up") state = { ...state, lastAnswerAtMs: now() };
      else change({ ...state, link: "up", lastAnswerAtMs: now(), missedAtMs: null });
    },
    missed() {
      if (state.missedAtMs !== null) return;
      change({ ...state, link: state.lastAnswerAtMs === null ? "connecting" : "lost", missedAtMs: now() });
    },
    streamIs(stream) {
      if (state.stream !== stream) change({ ...state, stream });
    },
  };
}
