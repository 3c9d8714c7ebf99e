import type { LogFormat, LogParser, ParseSink } from "./format.ts";
import { documentParser } from "./json/document-parser.ts";
import { headShape } from "./json/head-shape.ts";
import type { JsonScalar } from "./json/json-reader.ts";
import { namePool } from "./text/name-pool.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";

/** `{"lm loss": {"start_step": 1, "end_step": 100, "step_interval": 5, "values": {"1": 10.9, "5": "nan"}}}` */
const METRIC_DEPTH = 1;
const VALUES_DEPTH = 2;

/**
 * Golden values of Megatron-LM's functional tests: for each metric a map from step to value, or a list beginning at `start_step`.
 * The text "nan" stands where a metric was not logged at a step: a gap and never a loss that diverged (a bare NaN would be that).
 */
export const megatronGolden = {
  id: "megatron-golden",
  title: "Megatron-LM golden values",
  source: "golden_values_*.json of Megatron-LM's functional tests: metrics by step.",
  sniff(head) {
    const { keys, innerKeys } = headShape(head);
    return keys.size > 0 && innerKeys.has("start_step") && innerKeys.has("step_interval") ? 0.95 : 0;
  },
  parser: (sink) => goldenParser(sink),
} satisfies LogFormat;

function goldenParser(sink: ParseSink): LogParser {
  const name = namePool();
  let depth = 0;
  let metric = "";
  let field = "";
  let isList = false;
  let key = "";
  let start: number | null = null;
  let interval: number | null = null;
  let listed = 0;
  let points = 0;

  function point(stepText: string, value: JsonScalar, line: number): void {
    if (value === null || typeof value === "boolean" || isNotLogged(value)) return;
    const parsed = parseStep(stepText);
    if ("fault" in parsed)
      return sink.issue({ line, code: "bad-step", message: `A step of "${excerpt(metric)}" cannot be read: ${parsed.fault}.` });
    const read = typeof value === "number" ? value : parseNumber(value);
    if (read === undefined)
      return sink.issue({
        line,
        code: "unreadable-value",
        message: `Step ${parsed.step}: "${excerpt(metric)}" holds "${excerpt(String(value))}", which is no number; it was left out.`,
      });
    points++;
    sink.record({
      kind: "points",
      line,
      step: parsed.step,
      stepUnit: "optimizer-steps",
      timeMs: null,
      labels: {},
      values: [[metric, read]],
    });
  }

  /** A list gives no steps of its own: they follow from where it begins. */
  function listedPoint(value: JsonScalar, line: number): void {
    const at = listed++;
    if (start !== null && interval !== null) return point(String(start + at * interval), value, line);
    if (at === 0)
      sink.issue({
        line,
        code: "no-step",
        message: `The list of "${excerpt(metric)}" stands before its start_step and step_interval; its steps are unknown and it was left out.`,
      });
  }

  return documentParser(
    sink,
    {
      open(kind) {
        if (depth === METRIC_DEPTH) {
          start = null;
          interval = null;
        }
        if (depth === VALUES_DEPTH) {
          isList = kind === "array";
          listed = 0;
        }
        depth++;
      },
      close() {
        depth--;
      },
      key(text) {
        if (depth === METRIC_DEPTH) metric = name(text);
        else if (depth === VALUES_DEPTH) field = text;
        else key = text;
      },
      scalar(value, line) {
        if (depth === VALUES_DEPTH && field === "start_step") start = typeof value === "number" ? value : null;
        else if (depth === VALUES_DEPTH && field === "step_interval") interval = typeof value === "number" ? value : null;
        else if (depth === VALUES_DEPTH + 1 && field === "values" && metric !== "") {
          if (isList) listedPoint(value, line);
          else point(key, value, line);
        }
      },
      resumed() {},
      end(whole) {
        if (whole && points === 0) sink.issue({ line: 1, code: "no-values", message: "The golden values hold no value that was logged." });
      },
    },
    { rowsAt: null },
  );
}

function isNotLogged(value: JsonScalar): boolean {
  return typeof value === "string" && /^\s*nan\s*$/i.test(value);
}
