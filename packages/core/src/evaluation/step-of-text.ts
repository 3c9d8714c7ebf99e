/**
 * Words that name a checkpoint, each with the digits after it: "step1800", "global_step_1800", "checkpoint-1800", "ckpt_1800", "iter_0001800".
 * The word begins the text or stands after a sign (`/`, `-`, `_`, `=`, `.`, a blank), so that "footstep12" is none; the number ends at a
 * sign too, so that "step5k" and "step-1e5" are none rather than a wrong number.
 */
const STEP_WORD = /(?:^|[^a-z0-9])(?:global[-_]?)?(steps?|checkpoint|ckpt|iter(?:ation)?)[-_= ]?0*(\d{1,15})(?![a-z0-9]|\.\d)/gi;

/** Names that say the training step itself go before names of whatever is counted by checkpoints. */
const RANK: Readonly<Record<string, number>> = { step: 0, steps: 0, iter: 1, iteration: 1, checkpoint: 2, ckpt: 2 };

/**
 * The training step that a model name, revision or path says: "revision=step1800", "out/checkpoint-1800/results.json", "iter_0001800".
 * A bare number is none: it may be a size or a date. Of several words a step goes before an iteration, that before a checkpoint; of equal ones the last, the innermost folder.
 */
export function stepOfText(text: string): number | null {
  let found: number | null = null;
  let best = Number.POSITIVE_INFINITY;
  for (const [, word = "", digits = ""] of text.matchAll(STEP_WORD)) {
    const rank = RANK[word.toLowerCase()] ?? Number.POSITIVE_INFINITY;
    if (rank > best) continue;
    best = rank;
    found = Number(digits);
  }
  return found;
}
