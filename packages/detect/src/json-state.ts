/** A detector's state as it is stored: its own version and the parameters that differ from its defaults, beside the plain JSON object it works on. */
interface StoredState<S> {
  readonly version: number;
  readonly overrides?: Readonly<Record<string, number>>;
  readonly state: S;
}

type Overrides = Readonly<Record<string, number>>;
const NONE: Overrides = {};

/**
 * The state to go on from: the stored one where it was written by the same version of the detector under the same parameters, else a fresh one (a detector that has
 * changed must not read the numbers of its predecessor). The stored object is not shared with the caller.
 */
export function restoreState<S extends object>(stored: unknown, version: number, fresh: () => S, overrides: Overrides = NONE): S {
  const start = fresh();
  return isStored(stored, version, start, overrides) ? copyJson(stored.state) : start;
}

export function storeState<S extends object>(version: number, state: S, overrides: Overrides = NONE): StoredState<S> {
  const stored = { version, state: copyJson(state) };
  return Object.keys(overrides).length === 0 ? stored : { ...stored, overrides };
}

function isStored<S extends object>(stored: unknown, version: number, like: S, overrides: Overrides): stored is StoredState<S> {
  if (typeof stored !== "object" || stored === null || !("version" in stored) || !("state" in stored)) return false;
  const { state } = stored;
  const under = "overrides" in stored && typeof stored.overrides === "object" && stored.overrides !== null ? stored.overrides : NONE;
  const names = Object.keys(overrides);
  const isSame = names.length === Object.keys(under).length && names.every((name) => Reflect.get(under, name) === overrides[name]);
  return (
    isSame && stored.version === version && typeof state === "object" && state !== null && Object.keys(like).every((key) => key in state)
  );
}

function copyJson<S extends object>(state: S): S {
  return JSON.parse(JSON.stringify(state));
}
