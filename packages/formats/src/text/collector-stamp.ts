import { readTimestamp, type CivilTime } from "./timestamp.ts";

/** `2031-02-03T04:05:06.123456789Z ` of kubectl and docker logs, with ` stdout F ` behind it in containerd's files. */
const COLLECTOR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})\s(?:(?:stdout|stderr) [FP]\s)?/;

export interface CollectedLine {
  /** The line as the program wrote it. */
  readonly text: string;
  /** When the collector took it; undefined without a collector. */
  readonly time: CivilTime | undefined;
}

/** Takes off the time stamp that a log collector put in front. It always names its zone, so it cannot be the program's own. */
export function withoutCollectorStamp(line: string): CollectedLine {
  const first = line.charCodeAt(0);
  // Stamps begin with a digit; most lines do not.
  const prefix = first >= 0x30 && first <= 0x39 ? COLLECTOR.exec(line)?.[0] : undefined;
  if (prefix === undefined) return { text: line, time: undefined };
  return { text: line.slice(prefix.length), time: readTimestamp(line, 0) };
}
