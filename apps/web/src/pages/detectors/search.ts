import { present, readText } from "../../url/read.ts";

export interface DetectorsSearch {
  /** The one whose particulars are shown. */
  readonly detector?: string;
}

export function readDetectorsSearch(raw: Record<string, unknown>): DetectorsSearch {
  return present<DetectorsSearch>({ detector: readText(raw["detector"]) });
}
