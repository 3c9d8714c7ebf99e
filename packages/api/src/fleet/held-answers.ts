/** Two looks at something cheap that may have changed are at least so far apart. */
const LOOK_EVERY_MS = 5_000;

export interface Glance<T> {
  (): Promise<T>;
  /** Whoever asks next asks anew: what was asked about has just been changed here. */
  forget(): void;
}

/** The answer of a question that costs little, asked again after some seconds; asked for twice at once it is asked once. */
export function createGlance<T>(now: () => number, ask: () => Promise<T>): Glance<T> {
  let held: { readonly answer: Promise<T>; readonly atMs: number } | null = null;
  const glance = (): Promise<T> => {
    if (held !== null && now() - held.atMs >= 0 && now() - held.atMs < LOOK_EVERY_MS) return held.answer;
    const asked = { answer: ask(), atMs: now() };
    held = asked;
    asked.answer.catch(() => {
      if (held === asked) held = null;
    });
    return asked.answer;
  };
  return Object.assign(glance, {
    forget() {
      held = null;
    },
  });
}

/**
 * Answers under keys, the least recently asked for thrown out first.
 * @param size what all that is held may weigh; an answer weighs 1 where `get` is not told otherwise
 */
export function createShelf<T>(size: number): { get(key: string, ask: () => Promise<T>, weight?: number): Promise<T> } {
  const held = new Map<string, { readonly answer: Promise<T>; readonly weight: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= held.get(key)?.weight ?? 0;
    held.delete(key);
  };
  return {
    get(key, ask, weight = 1) {
      const known = held.get(key);
      const kept = known ?? { answer: ask(), weight };
      drop(key);
      held.set(key, kept);
      total += kept.weight;
      for (const oldest of held.keys()) {
        if (total <= size) break;
        drop(oldest);
      }
      if (known === undefined)
        kept.answer.catch(() => {
          if (held.get(key) === kept) drop(key);
        });
      return kept.answer;
    },
  };
}

/**
 * The answer of a question that costs much: while it is asked anew, the last known one is given, as long as it is not older than twice
 * `renewAfterMs`. Where nobody has asked for longer, what was true then is not told as if it were true now.
 */
export function createLastKnown<T>(now: () => number, renewAfterMs: number, ask: () => Promise<T>): () => Promise<T> {
  let held: { readonly answer: Promise<T>; readonly atMs: number } | null = null;
  let isAsking = false;
  const renew = async (): Promise<void> => {
    isAsking = true;
    const atMs = now();
    try {
      const answer = await ask();
      held = { answer: Promise.resolve(answer), atMs };
    } catch {
      // Whoever asks next asks anew; what is known stays.
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const ageMs = held === null ? Number.POSITIVE_INFINITY : Math.abs(now() - held.atMs);
    if (held === null || ageMs >= 2 * renewAfterMs) {
      const first = { answer: ask(), atMs: now() };
      held = first;
      isAsking = true;
      first.answer
        .catch(() => {
          if (held === first) held = null;
        })
        .finally(() => {
          isAsking = false;
        });
    } else if (!isAsking && ageMs >= renewAfterMs) void renew();
    return held.answer;
  };
}
