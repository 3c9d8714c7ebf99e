import type { LockedRun } from "@trainwatch/store";

/** Series with the label of a second writer, made when first needed and removed when nothing of them is left. */
export interface WriterSeries {
  /** Id of the series that a writer of `baseId` has; `baseId` for the first writer. */
  id(baseId: number, writer: string | null): Promise<number>;
  /** Points have been moved out of this series. */
  left(seriesId: number): void;
  /** Removes what has become empty; how many series there are more than before. */
  settle(): Promise<number>;
}

export function writerSeries(run: Pick<LockedRun, "writerSeries" | "dropEmptyWriters">): WriterSeries {
  const known = new Map<string, number>();
  const touched = new Set<number>();
  let made = 0;
  return {
    async id(baseId, writer) {
      if (writer === null) return baseId;
      const key = `${baseId} ${writer}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const { id, isNew } = await run.writerSeries(baseId, writer);
      if (isNew) made++;
      known.set(key, id);
      touched.add(id);
      return id;
    },
    left: (seriesId) => void touched.add(seriesId),
    settle: async () => (touched.size === 0 ? made : made - (await run.dropEmptyWriters([...touched]))),
  };
}
