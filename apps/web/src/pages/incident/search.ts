import { present, readFlag, readInteger } from "../../url/read.ts";

export interface IncidentSearch {
  /** Steps that the charts show; left out they follow the incident. A shared link names them. */
  readonly from?: number;
  readonly to?: number;
  /** The lanes in numbers. */
  readonly table?: true;
}

export function readIncidentSearch(raw: Record<string, unknown>): IncidentSearch {
  return present<IncidentSearch>({ from: readInteger(raw["from"]), to: readInteger(raw["to"]), table: readFlag(raw["table"]) });
}
