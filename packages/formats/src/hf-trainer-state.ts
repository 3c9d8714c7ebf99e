import type { LogFormat, LogParser, ParseSink } from "./format.ts";
import { documentParser } from "./json/document-parser.ts";
import { headShape } from "./json/head-shape.ts";
import type { JsonScalar } from "./json/json-reader.ts";
import { type JsonRow, type RowCollector, rowCollector } from "./json/json-row.ts";
import { savedCheckpoints, type StateFacts } from "./trainer-state/saved-checkpoints.ts";
import { namePool } from "./text/name-pool.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";

/** Depth of `log_history` in `{"log_history": [ … ]}`. */
const HISTORY_DEPTH = 2;
/** Keys that a trainer state has and little else. */
const STATE_KEYS = ["global_step", "max_steps", "is_world_process_zero", "num_train_epochs", "total_flos"];

/**
 * trainer_state.json of Hugging Face transformers (and TRL, LLaMA-Factory, …): rows of `log_history`, and which checkpoints the state
 * shows to have been saved. Rows are read one by one, so the size of the file does not matter.
 */
export const hfTrainerState = {
  id: "hf-trainer-state",
  title: "Hugging Face trainer_state.json",
  source: "trainer_state.json of Hugging Face transformers, as kept in each checkpoint folder and in the output folder.",
  sniff(head) {
    const { keys } = headShape(head);
    if (keys.has("log_history")) return 0.95;
    return STATE_KEYS.filter((key) => keys.has(key)).length >= 3 ? 0.7 : 0;
  },
  parser: (sink) => stateParser(sink),
} satisfies LogFormat;

function stateParser(sink: ParseSink): LogParser {
  const name = namePool();
  const path: string[] = [];
  let depth = 0;
  let row: RowCollector | undefined;
  let rows = 0;
  let documents = 0;
  let lastLine = 1;
  let facts: StateFacts = new Map();

  function finish(): void {
    const target = facts.get("max_steps");
    if (typeof target === "number" && Number.isSafeInteger(target) && target > 0)
      sink.record({ kind: "meta", line: lastLine, key: "targetSteps", value: target });
    const { checkpoints, every } = savedCheckpoints(facts);
    for (const checkpoint of checkpoints)
      sink.record({ kind: "checkpoint", line: lastLine, state: "unchecked", timeMs: null, ...checkpoint });
    if (every !== undefined) sink.record({ kind: "meta", line: lastLine, key: "checkpointEvery", value: every });
    facts = new Map();
  }

  function begin(line: number): void {
    documents++;
    if (documents > 1) sink.record({ kind: "start", line, reason: "another trainer state begins", timeMs: null });
  }

  return documentParser(
    sink,
    {
      open(kind, line) {
        lastLine = line;
        if (row !== undefined) row.open(kind);
        else if (kind === "object" && depth === HISTORY_DEPTH && path[0] === "log_history") row = rowCollector(line, name);
        else if (depth === 0) begin(line);
        depth++;
      },
      close(_kind, line) {
        lastLine = line;
        depth--;
        const done = row?.close();
        if (done !== undefined) {
          row = undefined;
          rows++;
          historyRow(sink, done);
        }
        if (row === undefined) path.length = Math.min(path.length, depth);
        if (depth === 0) finish();
      },
      key(text) {
        if (row !== undefined) row.key(text);
        else path[depth - 1] = text;
      },
      scalar(value, line) {
        lastLine = line;
        if (row !== undefined) row.scalar(value);
        else if (path[0] !== "log_history" && path.length <= MAX_FACT_DEPTH) facts.set(path.join("."), value);
      },
      resumed(at) {
        row = undefined;
        depth = at;
        path.length = Math.min(path.length, at);
      },
      end() {
        if (depth > 0) finish();
        if (documents > 0 && rows === 0)
          sink.issue({
            line: lastLine,
            code: "no-rows",
            message: "The trainer state has no log_history rows: the run had logged nothing yet.",
          });
      },
    },
    { rowsAt: HISTORY_DEPTH },
  );
}

/** `stateful_callbacks.TrainerControl.args.should_save` is the deepest fact used. */
const MAX_FACT_DEPTH = 4;

/** One row of `log_history`. The closing row of a run holds averages over the run: they keep a name of their own. */
function historyRow(sink: ParseSink, { line, fields }: JsonRow): void {
  const counter = fields.find(([key]) => key === "step")?.[1];
  if (counter === undefined || counter === null) {
    if (fields.length > 0) sink.issue({ line, code: "no-step", message: "A row of log_history has no step; it was left out." });
    return;
  }
  const parsed = parseStep(String(counter));
  if ("fault" in parsed)
    return sink.issue({ line, code: "bad-step", message: `A row of log_history has a step that cannot be read: ${parsed.fault}.` });
  const isSummary = fields.some(([key]) => key === "train_runtime");
  const values: [string, number][] = [];
  for (const [key, value] of fields) {
    if (key === "step" || key === "" || value === null || typeof value === "boolean") continue;
    const read = numberOf(value);
    if (read === undefined)
      sink.issue({
        line,
        code: "unreadable-value",
        message: `Step ${parsed.step}: "${excerpt(key)}" holds "${excerpt(String(value))}", which is no number; it was left out.`,
      });
    else values.push([isSummary && key !== "epoch" ? `summary/${key}` : key, read]);
  }
  if (values.length > 0)
    sink.record({ kind: "points", line, step: parsed.step, stepUnit: "optimizer-steps", timeMs: null, labels: {}, values });
}

/** All of a history row is numeric: text in it is a number that some versions write as text. */
function numberOf(value: Exclude<JsonScalar, null | boolean>): number | undefined {
  return typeof value === "number" ? value : parseNumber(value);
}
