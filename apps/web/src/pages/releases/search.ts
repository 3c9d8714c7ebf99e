import { present, readFlag, readInteger, readText } from "../../url/read.ts";

export interface ReleasesSearch {
  readonly cursor?: string;
  /** The selected comparison. */
  readonly release?: number;
  /** The dialog in which a comparison is begun. */
  readonly new?: true;
}

export function readReleasesSearch(raw: Record<string, unknown>): ReleasesSearch {
  return present<ReleasesSearch>({ cursor: readText(raw["cursor"]), release: readInteger(raw["release"], 1), new: readFlag(raw["new"]) });
}
