import type { LogFormat } from "./format.ts";
import { countMatches, headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";
import { rankLabels } from "./text/rank-label.ts";
import { readTimestamp } from "./text/timestamp.ts";

/*
 * [rank0]:[titan] 2025-03-01 10:11:12,345 - root - INFO - step: 10  loss:  7.1234  grad_norm:  1.2345  memory: 60.12GiB(75.10%)  tps: 5,432  tflops: 321.00  mfu: 32.50%
 * [rank0]:2025-04-01 00:25:47,084 - root - INFO - step: 640/644 = 99.3789%  loss:  6.2116  memory: 87.04GiB(93.48%)  tps: 52,142  mfu: 3.09%   (flame)
 * [rank0]:[titan] 2025-03-01 10:11:12,345 - root - INFO - validate step: 10  loss:  7.1234  memory: 60.12GiB(75.10%)  tps: 5,432
 */
const STEP = /(?:^|\s)(validate )?step:\s{0,16}([^\s/]{1,40})(?:\/\s{0,16}\d{1,15}(?: = [\d.]{1,16}%)?)?\s{1,16}(?=loss:)/;
const FIELD = /(?:^|\s)([A-Za-z_][\w/]{0,63}):\s{0,16}([^\s:]{1,64})(?=\s|$)/g;
const SNIFFED = /(?:^|\s)step:\s*\d+(?:\/\s*\d+ = [\d.]+%)?\s+loss:\s*\S+\s+(?:grad_norm|memory):/;
const LAUNCH_SNIFFED = /\[titan\] .*- (?:root - )?INFO - |torchtitan[./]/;
const MEMORY = /^([\d.]+)GiB\(([\d.]+|nan)%\)$/;
const STAMP_START = /\d{4}-\d{2}-\d{2}[ T]\d{2}:/;
/** `Training starts at step 1.`, once a launch. */
const LAUNCH = /Training starts at step (\d+)/;
/** `Trainer is initialized with local batch size 8, global batch size 64, gradient accumulation steps 1, sequence length 8192, total steps 1000 (warmup 200).` */
const TRAINER = /global batch size (\d+),.*sequence length (\d+), total steps (\d+)/;

export const torchtitan = {
  id: "torchtitan",
  title: "torchtitan stdout",
  source: "Console output of torchtitan, coloured or plain, of one rank or of several.",
  sniff(head) {
    const lines = headLines(head);
    if (lines.some((line) => SNIFFED.test(line))) return 0.9;
    return countMatches(lines, LAUNCH_SNIFFED) >= 3 ? 0.6 : 0;
  },
  parser: (sink, options) => lineParser(sink, options, stepLines),
} satisfies LogFormat;

function stepLines(context: LineContext): LineHandler {
  const { sink } = context;

  function data(text: string, match: RegExpExecArray, at: { readonly line: number; readonly collectedMs: number | null }): void {
    const { line } = at;
    const parsed = parseStep(match[2] ?? "");
    if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
    const isValidation = match[1] !== undefined;
    const values: [string, number][] = [];
    for (const [, key = "", token = ""] of text.slice(match.index + match[0].length).matchAll(FIELD)) {
      const fields = fieldValues(key, token);
      if (fields === undefined)
        sink.issue({
          line,
          code: "unreadable-value",
          message: `Step ${parsed.step}: "${key}: ${excerpt(token)}" is no number; it was left out.`,
        });
      else for (const [name, value] of fields) values.push([context.name(isValidation ? `validation_metrics/${name}` : name), value]);
    }
    if (values.length === 0) return;
    sink.record({
      kind: "points",
      line,
      step: parsed.step,
      stepUnit: "optimizer-steps",
      timeMs: stamp(text) ?? at.collectedMs,
      labels: rankLabels(text),
      values,
    });
  }

  function other(text: string, line: number): void {
    const launch = text.includes("Training starts") ? LAUNCH.exec(text) : null;
    // Every rank says so; the one that speaks for the run counts.
    if (launch !== null && rankLabels(text)["rank"] === undefined)
      return context.start(line, `training starts at step ${launch[1]}`, stamp(text));
    const trainer = text.includes("Trainer is initialized") ? TRAINER.exec(text) : null;
    if (trainer === null) return;
    const [batch, length, steps] = [Number(trainer[1]), Number(trainer[2]), Number(trainer[3])];
    sink.record({ kind: "meta", line, key: "tokensPerStep", value: batch * length });
    sink.record({ kind: "meta", line, key: "targetSteps", value: steps });
  }

  function stamp(text: string): number | null {
    const at = STAMP_START.exec(text.slice(0, 120))?.index;
    const civil = at === undefined ? undefined : readTimestamp(text, at);
    return civil === undefined ? null : context.epochMs(civil);
  }

  return {
    line(text, line, collectedMs) {
      const match = text.includes("step:") ? STEP.exec(text) : null;
      if (match === null) other(text, line);
      else data(text, match, { line, collectedMs });
    },
  };
}

/** Names and values of one field: memory holds two, `mfu: N/A` none; undefined when it cannot be read. */
function fieldValues(key: string, token: string): readonly (readonly [name: string, value: number])[] | undefined {
  if (token === "N/A") return [];
  const memory = key === "memory" ? MEMORY.exec(token) : null;
  if (memory !== null)
    return [["memory(GiB)", Number(memory[1])], ...(memory[2] === "nan" ? [] : [["memory(%)", Number(memory[2])] as const])];
  const isPercent = token.endsWith("%");
  const value = parseNumber(isPercent ? token.slice(0, -1) : token);
  return value === undefined ? undefined : [[isPercent ? `${key}(%)` : key, value]];
}
