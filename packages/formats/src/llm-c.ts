import type { LogFormat } from "./format.ts";
import { countMatches, headLines } from "./text/head-lines.ts";
import { readKeyValues } from "./text/key-values.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { parseStep } from "./text/number-token.ts";

/** `s:12 trl:9.7226 lr:0.000011 norm:3.12`, `s:250 tel:6.4511`, `s:250 eval:0.2631`. */
const LINE = /^s:(\S+)((?:\s+[A-Za-z_]+:\S*)+)\s*$/;
/** Begins like a data line, so that what follows must be readable. */
const BEGINNING = /^s:[-+\d]/;
const SNIFFED = /^s:\d+ (?:trl|tel|eval):\S+/;

export const llmC = {
  id: "llm-c",
  title: "llm.c main.log",
  source: "main.log of llm.c and of scripts that copied its format: trl is the training loss, tel the validation loss.",
  sniff: (head) => (countMatches(headLines(head).slice(0, 50), SNIFFED) > 0 ? 0.9 : 0),
  parser: (sink, options) => lineParser(sink, options, mainLog),
} satisfies LogFormat;

function mainLog({ sink, name }: LineContext): LineHandler {
  return {
    line(text, line, timeMs) {
      const match = LINE.exec(text);
      if (match === null) {
        if (BEGINNING.test(text)) sink.issue({ line, code: "bad-line", message: "A line that begins with a step has no readable fields." });
        return;
      }
      const parsed = parseStep(match[1] ?? "");
      if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
      const { values, unreadable } = readKeyValues((match[2] ?? "").trim().split(/\s+/), name);
      for (const field of unreadable)
        sink.issue({ line, code: "unreadable-value", message: `Step ${parsed.step}: "${field}" is no number; it was left out.` });
      if (values.length === 0) return;
      sink.record({ kind: "points", line, step: parsed.step, stepUnit: "optimizer-steps", timeMs, labels: {}, values });
    },
  };
}
