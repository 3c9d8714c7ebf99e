/** A part of a stored object by name; undefined where there is none. */
export function storedPart(stored: unknown, name: string): unknown {
  return typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : undefined;
}
