import type { EvalSampleInput, ScoreFile } from "./failed-sample.ts";

export interface PassedSamples {
  readonly samples: readonly EvalSampleInput[];
  /** How they were told, or why they were not. */
  readonly note: { readonly code: string; readonly message: string };
}

/** Categories have a few thousand samples; a count beyond is damage. */
const MOST_SAMPLES = 100_000;

/**
 * The samples that passed, which the file leaves out. Where every failed id is the category's name and an index below the count, the
 * others are the remaining indices; ids of live and agentic categories say more than an index, and passed ones are then not known.
 */
export function passedSamples(
  file: ScoreFile,
  failed: readonly string[],
  { correct, total }: { readonly correct: number; readonly total: number },
): PassedSamples {
  const none = (message: string): PassedSamples => ({ samples: [], note: { code: "passes-not-listed", message } });
  if (failed.length + correct !== total)
    return none(
      `The file says ${correct} of ${total} passed and lists ${failed.length} that failed: the counts do not fit, so passed samples were not told by their ids.`,
    );
  if (total > MOST_SAMPLES)
    return none(`The file says ${total} samples, more than a category has; passed samples were not told by their ids.`);
  const ids = failed.map(indexed);
  const prefix = ids[0]?.prefix ?? file.category;
  if (ids.some((id) => id === null || id.prefix !== prefix || id.index >= total))
    return none(
      `The ids of the failed samples are no plain indices below ${total}: the ${correct} passed samples are counted and not listed.`,
    );
  const failing = new Set(ids.map((id) => id?.index));
  const passing = Array.from({ length: total }, (_, index) => index).filter((index) => !failing.has(index));
  return {
    samples: passing.map((index) => ({
      kind: "sample",
      subject: file.subject,
      task: file.task,
      key: `${prefix}_${index}`,
      scores: { accuracy: 1 },
      settings: file.settings,
    })),
    note: {
      code: "passes-reconstructed",
      message: `The file lists failed samples only: the ${correct} that passed were told as the other indices from 0 to ${total - 1}, without texts.`,
    },
  };
}

function indexed(key: string): { readonly prefix: string; readonly index: number } | null {
  const [, prefix, digits] = /^(.+)_(0|[1-9]\d{0,8})$/.exec(key) ?? [];
  return prefix === undefined ? null : { prefix, index: Number(digits) };
}
