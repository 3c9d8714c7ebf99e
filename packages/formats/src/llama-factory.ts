import type { LogFormat } from "./format.ts";
import { headRows } from "./json/head-rows.ts";
import { type JsonRow, readRowLine } from "./json/json-row.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";

/** `0:02:12`, `9 days, 21:49:18`: Python's timedelta. */
const DURATION = /^(?:(\d{1,6}) days?, )?(\d{1,3}):(\d{2}):(\d{2})(?:\.\d+)?$/;
/** Text by design; the remaining time is only the elapsed one scaled. */
const LEFT_OUT = new Set(["remaining_time"]);

/** Whether the row has the two fields that only LLaMA-Factory writes together. */
export function isLlamaFactoryRow({ fields }: JsonRow): boolean {
  const names = new Set(fields.map(([name]) => name));
  return names.has("current_steps") && names.has("total_steps");
}

/** trainer_log.jsonl of LLaMA-Factory. It names its learning rate `lr`, writes times as text and has no gradient norm. */
export const llamaFactory = {
  id: "llama-factory",
  title: "LLaMA-Factory trainer_log.jsonl",
  source: "trainer_log.jsonl in the output folder of LLaMA-Factory, of one process or of several writing into one file.",
  sniff: (head) => (headRows(head).some(isLlamaFactoryRow) ? 0.95 : 0),
  parser: (sink, options) => lineParser(sink, options, trainerLog),
} satisfies LogFormat;

function trainerLog({ sink, name }: LineContext): LineHandler {
  let target: number | undefined;

  function point(row: JsonRow, line: number): void {
    const counter = row.fields.find(([key]) => key === "current_steps")?.[1];
    if (counter === undefined) {
      sink.issue({ line, code: "no-step", message: "The line has no current_steps; it was left out." });
      return;
    }
    const parsed = parseStep(String(counter));
    if ("fault" in parsed) {
      sink.issue({ line, code: "bad-step", message: `current_steps cannot be read: ${parsed.fault}.` });
      return;
    }
    const values: [string, number][] = [];
    for (const [key, value] of row.fields) {
      if (key === "current_steps" || key === "total_steps" || LEFT_OUT.has(key) || value === null || typeof value === "boolean") continue;
      const read = typeof value === "number" ? value : readText(value);
      if (read === undefined)
        sink.issue({
          line,
          code: "unreadable-value",
          message: `Step ${parsed.step}: "${excerpt(key)}" holds "${excerpt(value === undefined ? "" : String(value))}", which is no number; it was left out.`,
        });
      else values.push([key, read]);
    }
    if (values.length > 0)
      sink.record({ kind: "points", line, step: parsed.step, stepUnit: "optimizer-steps", timeMs: null, labels: {}, values });
  }

  function meta(row: JsonRow, line: number): void {
    const total = row.fields.find(([key]) => key === "total_steps")?.[1];
    if (typeof total !== "number" || !Number.isSafeInteger(total) || total <= 0 || total === target) return;
    target = total;
    sink.record({ kind: "meta", line, key: "targetSteps", value: total });
  }

  return {
    line(text, line) {
      const read = readRowLine(text, line, name);
      if ("fault" in read) {
        sink.issue({
          line,
          code: read.cut ? "unfinished-line" : "bad-json",
          message: `The line cannot be read as a JSON object: ${read.fault}.`,
        });
        return;
      }
      meta(read.row, line);
      point(read.row, line);
    },
  };
}

/** A number written as text, NaN included, or a duration in seconds. */
function readText(text: string): number | undefined {
  const [whole, days, hours, minutes, seconds] = DURATION.exec(text.trim()) ?? [];
  if (whole === undefined) return parseNumber(text);
  return Number(days ?? 0) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
