import { present, readInteger, readText } from "../../url/read.ts";

/** State of the pages of one GPU, one node and coverage. */
export interface AtSearch {
  /** Shown as at, epoch ms; left out it is live. */
  readonly at?: number;
  /** Ends of the charts, epoch ms; left out the last hours. */
  readonly from?: number;
  readonly to?: number;
  /** The metric of the chart. */
  readonly metric?: string;
}

export function readAtSearch(raw: Record<string, unknown>): AtSearch {
  const from = readInteger(raw["from"], 0);
  const to = readInteger(raw["to"], 0);
  const whole = from !== undefined && to !== undefined && to > from;
  return present<AtSearch>({
    at: readInteger(raw["at"], 0),
    from: whole ? from : undefined,
    to: whole ? to : undefined,
    metric: readText(raw["metric"]),
  });
}
