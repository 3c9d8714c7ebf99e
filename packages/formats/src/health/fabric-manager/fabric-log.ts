import { lineSplitter, MAX_LINE_CHARS } from "../../text/line-splitter.ts";
import { healthEvent, type HealthEventParts, type HealthOptions, type HealthParser, type HealthSink } from "../contract.ts";
import { MAX_LOOKED_AT, eventText } from "../event-text.ts";
import { civilTime, lineClock } from "../kernel/line-time.ts";
import { fabricText } from "./fabric-text.ts";

/** `[Feb 27 2025 15:10:02] [ERROR] [tid 12727] …`, in local time. */
const ENTRY = /^\[([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d{2}:\d{2}:\d{2})\] \[([A-Z]+)\] (?:\[tid \d+\] )?(.*)$/;
/** `Fabric Manager detected GPU NVL Non Fatal error on :` goes on over such lines as `moduleId : 1`, of which the last is `errorDebugData : 0x…`. */
const GOES_ON = /:\s*$/;
const FURTHER = /^\w{1,40} ?: \S/;
const LAST = /^errorDebugData\b/;
const MAX_FURTHER = 32;

/** Whether a line begins an entry of the fabric manager's own log. */
export function isFabricEntry(line: string): boolean {
  return ENTRY.test(line);
}

interface Held {
  readonly parts: HealthEventParts;
  readonly timeMs: number | null;
  readonly line: number;
  readonly further: string[];
}

/** Errors and warnings of `/var/log/fabricmanager.log`; what it merely does is passed over. */
export function fabricManagerParser(sink: HealthSink, options: HealthOptions = {}): HealthParser {
  let held: Held | null = null;
  let current = 1;
  const clock = lineClock(options, () =>
    sink.issue({ line: current, code: "zone-assumed", message: "Times name no zone and are taken as UTC; name one by --tz." }),
  );

  function giveOut(): void {
    if (held === null) return;
    const { parts, timeMs, line, further } = held;
    held = null;
    sink.event(healthEvent({ ...parts, text: eventText([parts.text, ...further].join("; ")) }, timeMs, line));
  }

  const splitter = lineSplitter({
    line(text, number) {
      current = number;
      const entry = ENTRY.exec(text.slice(0, MAX_LOOKED_AT));
      if (entry === null) {
        if (held !== null && FURTHER.test(text)) held.further.push(text.trim());
        if (!FURTHER.test(text) || LAST.test(text) || (held?.further.length ?? 0) >= MAX_FURTHER) giveOut();
        return;
      }
      giveOut();
      const [, month = "", day = "", year = "", time = "", level = "", message = ""] = entry;
      const parts = fabricText(message, level, options.node);
      if (parts === null) return;
      held = { parts, timeMs: clock(civilTime(month, day, time, year)), line: number, further: [] };
      // A log that is followed tells at once; only what goes on is waited for.
      if (!GOES_ON.test(message)) giveOut();
    },
    tooLong: (number) =>
      sink.issue({ line: number, code: "line-too-long", message: `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.` }),
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      giveOut();
    },
  };
}
