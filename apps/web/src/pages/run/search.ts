import type { Axis } from "@trainwatch/core";
import { present, readNumber, readWord } from "../../url/read.ts";

const AXES = ["step", "tokens", "time"] as const satisfies readonly Axis[];

export interface RunSearch {
  readonly axis?: Axis;
  /** On `axis`; left out is open: from the beginning, to the newest point and live. */
  readonly from?: number;
  readonly to?: number;
}

export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  return present<RunSearch>({ axis: readWord(raw["axis"], AXES), from: readNumber(raw["from"]), to: readNumber(raw["to"]) });
}
