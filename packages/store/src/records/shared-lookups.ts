/**
 * Asks once for all who ask for the same while a question is under way: they wait for the next one. So an answer is never older than its
 * question: what was changed before somebody asked is seen by them.
 */
export function sharedLookups<Answer>(ask: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const running = new Map<string, { readonly done: Promise<unknown>; next: Promise<Answer> | null }>();
  const start = (key: string): Promise<Answer> => {
    const answer = ask(key);
    const done = answer
      .catch(() => undefined)
      .then(() => {
        if (running.get(key)?.next === null) running.delete(key);
      });
    running.set(key, { done, next: null });
    return answer;
  };
  return (key) => {
    const now = running.get(key);
    if (now === undefined) return start(key);
    now.next ??= now.done.then(() => start(key));
    return now.next;
  };
}
