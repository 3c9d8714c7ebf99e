/** `[rank3]:` of PyTorch, also behind a job's own prefix. `3: ` of srun --label names a task, not a rank. */
const RANK = /\[rank(\d{1,6})\]:/;
const PREFIX_CHARS = 80;

const NO_LABELS: Readonly<Record<string, string>> = {};

/** Labels of a line that names its rank. Rank 0 speaks for the run and carries none. */
export function rankLabels(text: string): Readonly<Record<string, string>> {
  const rank = RANK.exec(text.slice(0, PREFIX_CHARS))?.[1];
  return rank === undefined || Number(rank) === 0 ? NO_LABELS : { rank };
}
