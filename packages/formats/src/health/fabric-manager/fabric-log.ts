import { lineSplitter, MAX_LINE_CHARS } from "../../text/line-splitter.ts";
import { healthEvent, type HealthEventParts, type HealthOptions, type HealthParser, type HealthSink } from "../contract.ts";
import { eventText } from "../event-text.ts";
import { civilTime, lineClock } from "../kernel/line-time.ts";
import { fabricText } from "./fabric-text.ts";

/** `[Feb 27 2025 15:10:02] [ERROR] [tid 12727] …`, in local time. */
const ENTRY = /^\[([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d{2}:\d{2}:\d{2})\] \[([A-Z]+)\] (?:\[tid \d+\] )?(.*)$/;
/** A message goes on over further lines (`moduleId : 1`, …) up to an empty one. More of them than this are left out. */
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
      const entry = ENTRY.exec(text);
      if (entry === null) {
        if (held !== null && held.further.length < MAX_FURTHER && text.trim() !== "") held.further.push(text.trim());
        return;
      }
      giveOut();
      const [, month = "", day = "", year = "", time = "", level = "", message = ""] = entry;
      const parts = fabricText(message, level, options.node);
      if (parts !== null) held = { parts, timeMs: clock(civilTime(month, day, time, year)), line: number, further: [] };
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
