/** One key as written in a binding: `j`, `?`, `Enter`, `mod+k` (⌘ on a Mac, Ctrl elsewhere). */
export function keyToken(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}): string | null {
  if (event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

/** Time in which the second key of `g i` must follow the first. */
export const SEQUENCE_MS = 1_000;

export interface Pressed {
  readonly tokens: readonly string[];
  readonly atMs: number;
}

/** Keys pressed so far, with the new one; a pause starts anew. */
export function press(before: Pressed | null, token: string, atMs: number): Pressed {
  const fresh = before === null || atMs - before.atMs > SEQUENCE_MS;
  return { tokens: fresh ? [token] : [...before.tokens, token].slice(-2), atMs };
}

/** The binding that `pressed` completes: the longest one wins, so that `g i` is not taken for `i`. */
export function completed<B extends { readonly keys: string }>(bindings: readonly B[], pressed: Pressed): B | undefined {
  const pair = pressed.tokens.join(" ");
  const last = pressed.tokens.at(-1);
  return bindings.findLast((binding) => binding.keys === pair) ?? bindings.findLast((binding) => binding.keys === last);
}
