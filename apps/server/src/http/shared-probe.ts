export interface SharedProbeOptions {
  /** An asker waits so long at most. */
  readonly waitMs: number;
  /** A question that has had no answer for so long is given up, and the next asker puts it anew: the line it went by may be dead. */
  readonly giveUpMs: number;
  readonly now: () => number;
}

/**
 * Puts a question for many askers at once: while it is unanswered, others wait for the same one. So a database that hangs is asked once,
 * however many probes and scrapes come by.
 * @returns the answer; null where it failed or does not come in time
 */
export function createSharedProbe<T>(ask: () => Promise<T>, { waitMs, giveUpMs, now }: SharedProbeOptions): () => Promise<T | null> {
  let open: { readonly answer: Promise<T | null>; readonly atMs: number } | null = null;

  const put = (): Promise<T | null> => {
    const answer = ask().catch(() => null);
    const mine = { answer, atMs: now() };
    open = mine;
    void answer.then(() => {
      if (open === mine) open = null;
    });
    return answer;
  };

  return () => within(open === null || now() - open.atMs >= giveUpMs ? put() : open.answer, waitMs);
}

async function within<T>(answer: Promise<T | null>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
