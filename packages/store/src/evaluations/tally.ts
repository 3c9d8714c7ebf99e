import type { EvalPushAnswer } from "@trainwatch/core";

/** A record with its place in the part, by which a refusal names it. */
export interface Indexed<Record> {
  readonly index: number;
  readonly record: Record;
}

/** Counts what became of the records of a part: none is dropped without a word. */
export interface Tally {
  accept(): void;
  repeat(): void;
  refuse(index: number, code: EvalPushAnswer["refused"][number]["code"], message: string): void;
  counts(): Omit<EvalPushAnswer, "scorecards">;
}

export function createTally(): Tally {
  const refused: EvalPushAnswer["refused"][number][] = [];
  let accepted = 0;
  let repeated = 0;
  return {
    accept: () => void accepted++,
    repeat: () => void repeated++,
    refuse: (index, code, message) => void refused.push({ index, code, message }),
    counts: () => ({ accepted, repeated, refused: refused.toSorted((a, b) => a.index - b.index) }),
  };
}
