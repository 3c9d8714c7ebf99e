/** A detector's state as it is stored: its own version beside the plain JSON object it works on. */
interface StoredState<S> {
  readonly version: number;
  readonly state: S;
}

/**
 * The state to go on from: the stored one where it was written by the same version of the detector, else a fresh one (a detector that has changed must not
 * read the numbers of its predecessor). The stored object is not shared with the caller.
 */
export function restoreState<S extends object>(stored: unknown, version: number, fresh: () => S): S {
  const start = fresh();
  return isStored(stored, version, start) ? copyJson(stored.state) : start;
}

export function storeState<S extends object>(version: number, state: S): StoredState<S> {
  return { version, state: copyJson(state) };
}

function isStored<S extends object>(stored: unknown, version: number, like: S): stored is StoredState<S> {
  if (typeof stored !== "object" || stored === null || !("version" in stored) || !("state" in stored)) return false;
  const { state } = stored;
  return stored.version === version && typeof state === "object" && state !== null && Object.keys(like).every((key) => key in state);
}

function copyJson<S extends object>(state: S): S {
  return JSON.parse(JSON.stringify(state));
}
