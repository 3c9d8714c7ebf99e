import { lineSplitter, MAX_LINE_CHARS } from "../../text/line-splitter.ts";
import type { HealthParser, HealthSink } from "../contract.ts";
import { MAX_LOOKED_AT } from "../event-text.ts";
import { ibstat } from "./ibstat.ts";
import { netdiscover } from "./netdiscover.ts";
import { perfquery } from "./perfquery.ts";
import { switchInfo } from "./switch-info.ts";

/** What `perfquery`, `ibnetdiscover`, `ibswinfo` and `ibstat` print, also several outputs in one file. */
export function infinibandToolsParser(sink: HealthSink): HealthParser {
  const readers = [perfquery(sink), netdiscover(sink), switchInfo(sink), ibstat(sink)];
  return lineSplitter({
    line: (text, number) => void (text.length <= MAX_LOOKED_AT && readers.some((read) => read(text, number))),
    tooLong: (number) =>
      sink.issue({ line: number, code: "line-too-long", message: `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.` }),
  });
}
