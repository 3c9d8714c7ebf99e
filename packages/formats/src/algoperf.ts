import type { LogFormat } from "./format.ts";
import { abslStamp, abslClock } from "./text/absl-clock.ts";
import { headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";

/**
 * `I0312 04:16:01.028608 140178689611520 logging_writer.py:48] [100] global_step=100, grad_norm=4.971317, loss=11.115016`,
 * with evaluations as `[107337] accumulated_eval_time=27443.1, global_step=107337, test/bleu=30.8, train/loss=1.4`.
 */
const LINE = /logging_writer\.py:\d+\] \[([^\]\s]{1,40})\] (.+)$/;
const SNIFFED = /logging_writer\.py:\d+\] \[\d+\] .*global_step=/;
const LAUNCH_SNIFFED = /submission_runner\.py.*(?:--workload|Tuning run|Starting training loop)/;
/** `--- Tuning run 1/5 ---`, `Starting training loop.` */
const TUNING_RUN = /submission_runner\.py:\d+\] -{2,} (Tuning run \d+\/\d+) -{2,}/;
const TRAINING_LOOP = /submission_runner\.py:\d+\] Starting training loop/;
/** `checkpoints.py:422] Saved checkpoint at /runs/trial_1/checkpoint_107337` */
const SAVED = /\] Saved checkpoint at (\S*_(\d+))\s*$/;

/** `train/loss` of an evaluation row is no training loss: it is measured on a part of the training split. */
const EVALUATED = /^(?:train|validation|test)\//;

export const algoperf = {
  id: "algoperf",
  title: "AlgoPerf log",
  source: "absl logs of MLCommons AlgoPerf (algorithmic-efficiency) submissions, with one tuning trial or several.",
  sniff(head) {
    const lines = headLines(head);
    if (lines.some((line) => SNIFFED.test(line))) return 0.9;
    return lines.some((line) => LAUNCH_SNIFFED.test(line)) ? 0.8 : 0;
  },
  parser: (sink, options) =>
    lineParser(sink, options, (context) => abslLines(context, abslClock(options.referenceTimeMs, context.epochMs))),
} satisfies LogFormat;

function abslLines(context: LineContext, epochMsOf: (stamp: string) => number | null): LineHandler {
  const { sink, name } = context;

  function data(counter: string, rest: string, at: { readonly line: number; readonly timeMs: number | null }): void {
    const { line, timeMs } = at;
    const parsed = parseStep(counter);
    if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
    const values: [string, number][] = [];
    for (const field of rest.split(", ")) {
      const equals = field.indexOf("=");
      const key = field.slice(0, Math.max(equals, 0)).trim();
      const value = parseNumber(field.slice(equals + 1));
      if (key === "" || value === undefined)
        sink.issue({
          line,
          code: "unreadable-value",
          message: `Step ${parsed.step}: "${excerpt(field)}" is no "name=number"; it was left out.`,
        });
      else if (key !== "global_step") values.push([name(EVALUATED.test(key) ? `eval/${key}` : key), value]);
    }
    if (values.length > 0)
      sink.record({ kind: "points", line, step: parsed.step, stepUnit: "optimizer-steps", timeMs, labels: {}, values });
  }

  return {
    line(text, line) {
      const stamp = abslStamp(text);
      if (stamp === undefined) return;
      const match = LINE.exec(text);
      if (match !== null) return data(match[1] ?? "", match[2] ?? "", { line, timeMs: epochMsOf(stamp) });
      const tuning = TUNING_RUN.exec(text);
      if (tuning !== null) return context.start(line, tuning[1] ?? "", epochMsOf(stamp));
      if (TRAINING_LOOP.test(text)) return context.start(line, "Starting training loop", epochMsOf(stamp));
      const saved = SAVED.exec(text);
      const parsed = parseStep(saved?.[2] ?? "");
      if (saved === null || "fault" in parsed) return;
      sink.record({ kind: "checkpoint", line, step: parsed.step, path: saved[1] ?? null, state: "unchecked", timeMs: epochMsOf(stamp) });
    },
  };
}
