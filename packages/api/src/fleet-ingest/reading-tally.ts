import type { ReadingCounts } from "@trainwatch/store";

/** Counts reach the status line so much later, and a process that is killed loses so much of them; of readings it loses none. */
const FLUSH_MS = 2_000;

export interface ReadingTally {
  add(counts: ReadingCounts): void;
  /** Writes what is counted and not written yet. */
  flush(): Promise<void>;
}

/** Sums up what requests have brought, so that the database hears of it every other second and not with every request. */
export function createReadingTally(write: (counts: ReadingCounts) => Promise<void>): ReadingTally {
  let waiting = noCounts();
  let timer: NodeJS.Timeout | null = null;
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const counts = waiting;
    if (counts.accepted + counts.repeated + counts.refused === 0) return;
    waiting = noCounts();
    // What cannot be written now is written with the next: a count is no reason to refuse a reading.
    await write(counts).catch(() => add(counts));
  };
  const add = ({ accepted, repeated, refused }: ReadingCounts): void => {
    waiting.accepted += accepted;
    waiting.repeated += repeated;
    waiting.refused += refused;
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  };
  return { add, flush };
}

function noCounts(): { accepted: number; repeated: number; refused: number } {
  return { accepted: 0, repeated: 0, refused: 0 };
}
