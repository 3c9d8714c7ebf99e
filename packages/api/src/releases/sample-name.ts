import type { StoredSampleSet } from "@trainwatch/store";

export interface SampleName {
  readonly key: string;
  readonly epoch: number;
}

/** The name of a sample in a set: the epoch is part of it where there are several. Null: it has no such sample. */
export function nameInSet({ key, epoch }: SampleName, { epochs }: Pick<StoredSampleSet, "epochs">): string | null {
  if (epochs > 1) return `${key}#${epoch}`;
  return epoch === 0 ? key : null;
}
