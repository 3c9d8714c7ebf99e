import { inFoldOrder } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { foldFindings, type FoldRequest } from "./fold-findings.ts";

/** A transaction ends after half a minute. So many findings take a few seconds, even where each opens an incident of its own that is weighed and told. */
const PART = 200;

export interface PartedFold extends FoldRequest {
  readonly records: Pick<Records, "transaction">;
  /** Done first in each transaction: that it may be written at all. */
  readonly demand: (tx: Records) => Promise<void>;
  /** Done in the last one: what moves on once all is folded. */
  readonly move: (tx: Records) => Promise<void>;
}

/**
 * Folds the findings of one step, however many there are: a hall that overheats has thousands at once, and a step that never ends in time would be tried again for ever. Those beyond a part
 * are folded before the step is done; if it is then undone by a crash, it is done again, finds the same, and folding what is folded changes nothing.
 * @returns ids of the incidents touched
 * @throws whatever `demand` does, IncidentMoved
 */
export async function foldInParts({ records, demand, move, findings, ...request }: PartedFold): Promise<ReadonlySet<number>> {
  const ordered = inFoldOrder(findings, ({ finding }) => finding);
  const touched = new Set<number>();
  let from = 0;
  for (let isLast = false; !isLast; from += PART) {
    isLast = from + PART >= ordered.length;
    const part = await records.transaction(async (tx) => {
      await demand(tx);
      if (isLast) await move(tx);
      return foldFindings(tx, { ...request, findings: ordered.slice(from, from + PART) });
    });
    for (const id of part) touched.add(id);
  }
  return touched;
}
