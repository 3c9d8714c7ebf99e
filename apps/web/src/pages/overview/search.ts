import { present, readInteger } from "../../url/read.ts";

export interface OverviewSearch {
  /** The selected incident. */
  readonly incident?: number;
}

export function readOverviewSearch(raw: Record<string, unknown>): OverviewSearch {
  return present<OverviewSearch>({ incident: readInteger(raw["incident"], 1) });
}
