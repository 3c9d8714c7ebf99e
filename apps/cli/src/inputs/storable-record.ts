import { MAX_TIME_MS, isStorableText, storableText } from "@trainwatch/core";
import type { LogRecord, ParseIssue } from "@trainwatch/core";

/** Tells of one text once, however many lines have it; of so many texts at most. */
const MAX_TOLD = 1_000;

/**
 * Records as a server can hold them: a character that no database takes (NUL, half of a surrogate pair) becomes U+FFFD, and a time beyond
 * the calendar is none. The rest of the log must not suffer for one such name, so each is an issue and not a fault.
 */
export class StorableRecords {
  private readonly told = new Map<string, string>();
  private readonly issue: (issue: ParseIssue) => void;

  constructor(issue: (issue: ParseIssue) => void) {
    this.issue = issue;
  }

  clean(record: LogRecord): LogRecord {
    const { line } = record;
    switch (record.kind) {
      case "points":
        return this.points(record);
      case "start":
        return { ...record, reason: this.text(record.reason, line), timeMs: this.time(record.timeMs, line) };
      case "checkpoint":
        return { ...record, path: record.path === null ? null : this.text(record.path, line), timeMs: this.time(record.timeMs, line) };
      case "note":
        return {
          ...record,
          code: this.text(record.code, line),
          text: this.text(record.text, line),
          timeMs: this.time(record.timeMs, line),
        };
      case "meta":
        return typeof record.value === "string" ? { ...record, value: this.text(record.value, line) } : record;
    }
  }

  private points(record: LogRecord & { readonly kind: "points" }): LogRecord {
    const { line, labels, values } = record;
    // Nearly every line of a log is fine: nothing is made anew for it.
    const areNamed = values.every(([name]) => isStorableText(name));
    const areLabelled = Object.entries(labels).every(([name, value]) => isStorableText(name) && isStorableText(value));
    if (areNamed && areLabelled) return record;
    return {
      ...record,
      labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [this.text(name, line), this.text(value, line)])),
      values: values.map(([name, value]) => [this.text(name, line), value]),
    };
  }

  private text(text: string, line: number): string {
    if (isStorableText(text)) return text;
    const known = this.told.get(text);
    if (known !== undefined) return known;
    const clean = storableText(text);
    if (this.told.size < MAX_TOLD) this.told.set(text, clean);
    this.issue({
      line,
      code: "unstorable-text",
      message: `A text holds NUL or half of a surrogate pair, which cannot be stored; it is read as ${JSON.stringify(clean.slice(0, 120))}.`,
    });
    return clean;
  }

  private time(timeMs: number | null, line: number): number | null {
    if (timeMs === null || (timeMs >= 0 && timeMs <= MAX_TIME_MS)) return timeMs;
    this.issue({ line, code: "bad-time", message: `The time ${timeMs} ms is beyond any calendar and is left out.` });
    return null;
  }
}
