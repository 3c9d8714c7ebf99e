import { present, readFlag, readInteger } from "../../url/read.ts";

export interface CheckpointSearch {
  /** Steps that the charts show; left out are all of the run. */
  readonly from?: number;
  readonly to?: number;
  /** The lanes in numbers. */
  readonly table?: true;
}

/** A range that ends before it begins is none. */
export function readCheckpointSearch(raw: Record<string, unknown>): CheckpointSearch {
  const from = readInteger(raw["from"]);
  const to = readInteger(raw["to"]);
  const backwards = from !== undefined && to !== undefined && to <= from;
  return present<CheckpointSearch>({
    from: backwards ? undefined : from,
    to: backwards ? undefined : to,
    table: readFlag(raw["table"]),
  });
}
