/** Two looks at something cheap that may have changed are at least so far apart. */
const LOOK_EVERY_MS = 5_000;

/** The answer of a question that costs little, asked again after some seconds; asked for twice at once it is asked once. */
export function createGlance<T>(now: () => number, ask: () => Promise<T>): () => Promise<T> {
  let held: { readonly answer: Promise<T>; readonly atMs: number } | null = null;
  return () => {
    if (held !== null && now() - held.atMs >= 0 && now() - held.atMs < LOOK_EVERY_MS) return held.answer;
    const asked = { answer: ask(), atMs: now() };
    held = asked;
    asked.answer.catch(() => {
      if (held === asked) held = null;
    });
    return asked.answer;
  };
}

/** Answers under keys, the least recently asked for thrown out first. */
export function createShelf<T>(size: number): { get(key: string, ask: () => Promise<T>): Promise<T> } {
  const held = new Map<string, Promise<T>>();
  return {
    get(key, ask) {
      const answer = held.get(key) ?? ask();
      held.delete(key);
      held.set(key, answer);
      for (const oldest of held.keys()) {
        if (held.size <= size) break;
        held.delete(oldest);
      }
      answer.catch(() => held.delete(key));
      return answer;
    },
  };
}

/** The answer of a question that costs much: while it is asked anew, the last known one is given. */
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
    if (held === null) {
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
    } else if (!isAsking && Math.abs(now() - held.atMs) >= renewAfterMs) void renew();
    return held.answer;
  };
}
