import type { LogFormat } from "./format.ts";
import { headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";

/** `12 2.717227458953857`: a step and a loss, nothing else. */
const PAIR = /^\s*(\S+)\s+(\S+)\s*$/;
const HEADER = /^\s*step\s+loss\s*$/i;
const MIN_PAIRS = 3;

/** Whole numbers that never fall, each with a number: a table of other pairs hardly looks like that. */
function sniff(head: Uint8Array): number {
  const lines = headLines(head).filter((line) => !isAside(line));
  // The last line of a head may be cut.
  const whole = lines.length > MIN_PAIRS ? lines.slice(0, -1) : lines;
  if (whole.length < MIN_PAIRS) return 0;
  let last = -1;
  for (const line of whole) {
    const [, first = "", second = ""] = PAIR.exec(line) ?? [];
    const parsed = parseStep(first);
    if ("fault" in parsed || parsed.step < last || parseNumber(second) === undefined) return 0;
    last = parsed.step;
  }
  return 0.7;
}

export const stepLossList = {
  id: "step-loss-list",
  title: "Step and loss list",
  source: "Two columns, step and loss, separated by blanks, as torchtitan keeps its reference curves.",
  sniff,
  parser: (sink, options) => lineParser(sink, options, pairs),
} satisfies LogFormat;

function pairs({ sink }: LineContext): LineHandler {
  return {
    line(text, line, timeMs) {
      if (isAside(text)) return;
      const [, first, second] = PAIR.exec(text) ?? [];
      const value = second === undefined ? undefined : parseNumber(second);
      if (first === undefined || value === undefined) {
        sink.issue({ line, code: "bad-line", message: `"${excerpt(text)}" is not a step and a loss.` });
        return;
      }
      const parsed = parseStep(first);
      if ("fault" in parsed) {
        sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
        return;
      }
      sink.record({
        kind: "points",
        line,
        step: parsed.step,
        stepUnit: "optimizer-steps",
        timeMs,
        labels: {},
        values: [["loss", value]],
      });
    },
  };
}

/** Blank lines, comments and the header carry nothing. */
function isAside(line: string): boolean {
  return line.trim() === "" || line.startsWith("#") || HEADER.test(line);
}
