import { AppError } from "@trainwatch/core";
import type { TailRow, WriteOutcome } from "../contract.ts";

/** Statements in flight at a time: while one waits for the disk, the next is put together and sent. */
const LANES = 2;
/** Readings of a statement at most, in bytes. More would make those who share it wait, and win nothing. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Readings that wait at most, in bytes. Beyond, callers are told to come back: memory is not where a slow database is to be waited for. */
const QUEUE_BYTES = 96 * 1024 * 1024;

export interface GroupCommitOptions {
  readonly commit: (requests: readonly (readonly TailRow[])[]) => Promise<readonly WriteOutcome[]>;
  readonly queueBytes?: number;
  /** Waits after a commit that took so long, in milliseconds, before its lane takes the next one; not at all where left out. */
  readonly rest?: (tookMs: number) => Promise<void>;
}

/** Puts the rows of many callers into one commit. An answer comes when its rows are durable; a commit that fails fails all that share it. */
export interface GroupCommit {
  /** @throws AppError `unavailable` where more waits already than may */
  add(rows: readonly TailRow[]): Promise<WriteOutcome>;
}

interface Waiting {
  readonly rows: readonly TailRow[];
  readonly bytes: number;
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit({ commit, queueBytes = QUEUE_BYTES, rest }: GroupCommitOptions): GroupCommit {
  const queue: Waiting[] = [];
  let waitingBytes = 0;
  let running = 0;
  let isArmed = false;

  const arm = (): void => {
    if (isArmed || running >= LANES || queue.length === 0) return;
    isArmed = true;
    // Whatever else has arrived with this turn of the event loop goes along.
    setImmediate(() => {
      isArmed = false;
      if (queue.length > 0 && running < LANES) void runLane();
    });
  };
  const runLane = async (): Promise<void> => {
    running++;
    const batch = takeBatch(queue);
    arm();
    const begun = performance.now();
    try {
      const outcomes = await commit(batch.map(({ rows }) => rows));
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Error(`a commit of ${batch.length} requests answered ${outcomes.length}`));
        else resolve(outcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    waitingBytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
    // Answered by now: whoever rests here keeps nobody waiting but those who come next.
    await rest?.(performance.now() - begun);
    running--;
    arm();
  };
  return {
    add(rows) {
      const bytes = rows.reduce((sum, row) => sum + row.values.length, 0);
      if (waitingBytes > 0 && waitingBytes + bytes > queueBytes) return Promise.reject(tooMuchWaits(waitingBytes));
      waitingBytes += bytes;
      return new Promise((resolve, reject) => {
        queue.push({ rows, bytes, resolve, reject });
        arm();
      });
    },
  };
}

function takeBatch(queue: Waiting[]): readonly Waiting[] {
  let bytes = 0;
  let count = 0;
  while (count < queue.length && (count === 0 || bytes < BATCH_BYTES)) bytes += queue[count++]?.bytes ?? 0;
  return queue.splice(0, count);
}

function tooMuchWaits(bytes: number): AppError {
  return new AppError(
    "unavailable",
    `${Math.round(bytes / 2 ** 20)} MiB of fleet readings wait for the database, which takes them slower than they arrive. Nothing of this request was stored; send it again in a moment.`,
    { details: { waitingBytes: bytes } },
  );
}
