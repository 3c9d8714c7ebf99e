import type { LockedRun } from "@trainwatch/store";
import { type LineageHead, joinParts, partsOf, splitParts } from "./lineage-parts.ts";
import { EMPTY_BOOK } from "./source-book.ts";
import type { StoredLineage } from "./stored-lineage.ts";

/** A lineage as it was read: of some series, or of all. */
export interface ReadLineage {
  readonly state: StoredLineage;
  readonly isWhole: boolean;
  /** Makes `state`, come from this one, the stored one: writes what has changed and no more. */
  save(state: StoredLineage): Promise<void>;
}

type Run = Pick<LockedRun, "lineage" | "lineageParts" | "saveLineage">;

/**
 * Reads the lineage of a run: what is not by series, and of the series those given.
 * @throws Error for a state of another version: a newer server has written it.
 */
export async function readLineage(run: Run, seriesIds: readonly number[] | "all"): Promise<ReadLineage> {
  const stored = await run.lineage();
  if (stored === undefined) return reading(run, null, { version: 1, lineage: null, sources: EMPTY_BOOK }, new Map(), true);
  if (isOfVersion(1, stored)) return reading(run, null, stored, new Map(), true);
  if (!isOfVersion(2, stored) && !isOfVersion(3, stored))
    throw new Error("the stored lineage of this run is of a version that this server does not know");
  // An older server has not told what its undecided sequences say together.
  const isWhole = seriesIds === "all" || (stored.lineage?.strands?.length ?? 0) > 0;
  const parts = await run.lineageParts(isWhole ? "all" : partsOf(seriesIds));
  return reading(run, stored, joinParts(stored, parts.values()), parts, isWhole);
}

function reading(
  run: Run,
  head: LineageHead | null,
  state: StoredLineage,
  before: ReadonlyMap<number, string>,
  isWhole: boolean,
): ReadLineage {
  return {
    state,
    isWhole,
    async save(next) {
      const { head: nextHead, parts } = splitParts(next, head);
      const changed = new Map<number, string | null>([...parts].filter(([part, text]) => before.get(part) !== text));
      for (const part of before.keys()) if (!parts.has(part)) changed.set(part, null);
      await run.saveLineage(nextHead, changed);
    },
  };
}

interface Versions {
  1: StoredLineage;
  2: LineageHead;
  3: LineageHead;
}

function isOfVersion<V extends keyof Versions>(version: V, stored: unknown): stored is Versions[V] {
  return (
    typeof stored === "object" &&
    stored !== null &&
    "version" in stored &&
    stored.version === version &&
    "lineage" in stored &&
    "sources" in stored
  );
}
