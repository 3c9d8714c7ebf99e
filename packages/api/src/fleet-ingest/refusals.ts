import type { FrameAnswer } from "@trainwatch/core";

/** More are counted, not listed. */
const MOST_LISTED = 1_000;

/** Readings that are not taken: the first by name, the others counted. */
export interface Refusals<Refusal> {
  /** @param describe called only where the refusal will be listed */
  add(count: number, describe: () => readonly Refusal[]): void;
  listed(): readonly Refusal[];
  total(): number;
}

export type FrameRefusal = FrameAnswer["refused"][number];

export function createRefusals<Refusal>(): Refusals<Refusal> {
  const listed: Refusal[] = [];
  let total = 0;
  return {
    add(count, describe) {
      total += count;
      if (count > 0 && listed.length < MOST_LISTED) listed.push(...describe().slice(0, MOST_LISTED - listed.length));
    },
    listed: () => listed,
    total: () => total,
  };
}
