import { lineSplitter, MAX_LINE_CHARS } from "../text/line-splitter.ts";
import { readCommentLine } from "./comment-line.ts";
import type { ExpositionOptions, ExpositionParser, ExpositionSample, ExpositionSink } from "./contract.ts";
import { readSampleLine } from "./sample-line.ts";

const MAX_SAMPLES = 200_000;
/** Issues told at most; the summary counts all. */
const MAX_ISSUES = 1_000;

/**
 * Reads what an exporter answers to a scrape (https://prometheus.io/docs/instrumenting/exposition_formats/). A line that cannot be read is an issue and the
 * rest goes on; of two samples of one series and time the first counts. Memory is bounded by `maxSamples` and one line.
 */
export function expositionParser(sink: ExpositionSink, { format, maxSamples = MAX_SAMPLES }: ExpositionOptions): ExpositionParser {
  const seen = new Set<string>();
  const counts = { samples: 0, duplicates: 0, exemplars: 0, beyondLimit: 0, issues: 0 };
  let hasEnd = false;
  let saidAfterEnd = false;
  let isCut = false;

  function issue(line: number, code: string, message: string): void {
    if (++counts.issues <= MAX_ISSUES) sink.issue({ line, code, message });
  }

  function comment(text: string, line: number): void {
    const read = readCommentLine(text, line);
    if (read === "eof") hasEnd = format === "openmetrics";
    else if (read !== null && "fault" in read) issue(line, "bad-line", `The comment cannot be read: ${read.fault}.`);
    else if (read !== null) sink.note?.(read);
  }

  function sample(text: string, line: number): void {
    const read = readSampleLine(text, format);
    if ("fault" in read) return issue(line, "bad-line", `The line cannot be read: ${read.fault}.`);
    if (counts.samples >= maxSamples) {
      if (++counts.beyondLimit === 1)
        issue(line, "too-many-samples", `There are more than ${maxSamples} samples; this one and those after it are left out.`);
      return;
    }
    const { name, labels, value, timeMs, hasExemplar } = read;
    const key = seriesKey(name, labels, timeMs);
    if (seen.has(key)) {
      counts.duplicates++;
      return issue(line, "duplicate-series", `${name} with these labels stands further up already; this one is left out.`);
    }
    seen.add(key);
    counts.samples++;
    if (hasExemplar) counts.exemplars++;
    sink.sample({ name, labels, value, timeMs, line } satisfies ExpositionSample);
  }

  const splitter = lineSplitter({
    line(text, number, terminated) {
      if (hasEnd) {
        if (!saidAfterEnd) issue(number, "after-end", "Something follows the line # EOF; it is left out.");
        saidAfterEnd = true;
        return;
      }
      const start = text.trimStart();
      if (start === "") return;
      if (start.startsWith("#")) comment(text, number);
      else sample(text, number);
      if (terminated || hasEnd) return;
      isCut = true;
      issue(number, "unfinished-line", "The last line has no line break; its last value may be cut short.");
    },
    tooLong(number) {
      issue(number, "line-too-long", `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.`);
    },
  });

  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      if (format === "openmetrics" && !hasEnd) issue(0, "truncated", "The line # EOF is missing at the end: the exposition is cut short.");
      return { ...counts, isComplete: format === "openmetrics" ? hasEnd : !isCut };
    },
  };
}

function seriesKey(name: string, labels: Readonly<Record<string, string>>, timeMs: number | null): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((label) => `${label}\0${labels[label] ?? ""}`);
  return [name, timeMs ?? "", ...pairs].join("\0");
}

/** The format that a `Content-Type` names; what names none is the text format, as every exporter spoke before there was another. */
export function expositionFormatOf(contentType: string | null): ExpositionOptions["format"] {
  const media = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  return media === "application/openmetrics-text" ? "openmetrics" : "text";
}
