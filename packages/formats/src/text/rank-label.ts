/** `[rank3]:` and `[default3]:` of torchrun, `3: ` of srun --label is left alone: it names a task, not a rank. */
const RANK = /^\[(?:rank|default)(\d{1,6})\]:?/;

const NO_LABELS: Readonly<Record<string, string>> = {};

/** Labels of a line that names its rank. Rank 0 speaks for the run and carries none. */
export function rankLabels(text: string): Readonly<Record<string, string>> {
  const rank = text.startsWith("[") ? RANK.exec(text)?.[1] : undefined;
  return rank === undefined || Number(rank) === 0 ? NO_LABELS : { rank };
}
