import type { LogFormat } from "./format.ts";
import { headLines } from "./text/head-lines.ts";
import { readKeyValues } from "./text/key-values.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { parseStep } from "./text/number-token.ts";
import { beginsAsPython, scriptHead } from "./text/script-head.ts";

/** `step:12/3242 train_loss:6.8309 train_time:746ms step_avg:nanms`, also with val_loss, val_bpb, lr_mul. */
const LINE = /^step:([^\s/:]+)\/(\S+)((?:\s+[A-Za-z_]\w*:\S*)+)\s*$/;
const BEGINNING = /^step:[-+\d][^\s/]*\//;
const SNIFFED = /^step:\d+\/\d+ .*(?:train_loss|val_loss|train_time):/;
/** `trial:2/10 seed:2`: the same script trains again from step 0. */
const TRIAL = /^trial:\d+\/\d+\b/;
/** `Running PyTorch 2.11.0+cu128 compiled for CUDA 12.8`, once a launch. */
const BANNER = /^Running pytorch /i;
/** `  >> Checkpoint saved: ./checkpoints/ckpt_step30500.pt` */
const SAVED = /checkpoint saved:?\s+(\S*?step_?(\d+)\S*)/i;
/** `  Resumed at step 30000, training_time=47870254ms` */
const RESUMED = /^\s*Resumed at step (\d+)/;
/** `world_size:8 grad_accum_steps:1`, `train_batch_tokens:524288 train_seq_len:1024 iterations:20000` */
const FACTS = [
  [/^world_size:(\d+)\b/, "gpus"],
  [/^train_batch_tokens:(\d+)\b/, "tokensPerStep"],
] as const;

function sniff(head: Uint8Array): number {
  const lines = headLines(head);
  if (lines.some((line) => SNIFFED.test(line))) return 0.9;
  // The script alone may be longer than the head; nothing else here begins as Python.
  return beginsAsPython(lines) && lines.some((line) => /\btorch\b/.test(line)) ? 0.5 : 0;
}

export const moddedNanogpt = {
  id: "modded-nanogpt",
  title: "modded-nanogpt log",
  source: "Logs of modded-nanogpt, parameter-golf and their descendants, with or without the training script in front.",
  sniff,
  parser: (sink, options) => lineParser(sink, options, stepLines),
} satisfies LogFormat;

function stepLines(context: LineContext): LineHandler {
  const { sink, name } = context;
  const script = scriptHead();
  let target: string | undefined;

  function data(match: RegExpExecArray, line: number, timeMs: number | null): void {
    const parsed = parseStep(match[1] ?? "");
    if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
    const { values, unreadable } = readKeyValues((match[3] ?? "").trim().split(/\s+/), name);
    for (const field of unreadable)
      sink.issue({ line, code: "unreadable-value", message: `Step ${parsed.step}: "${field}" is no number; it was left out.` });
    sayTarget(match[2], line);
    if (values.length > 0)
      sink.record({ kind: "points", line, step: parsed.step, stepUnit: "optimizer-steps", timeMs, labels: {}, values });
  }

  function sayTarget(total: string | undefined, line: number): void {
    if (total === undefined || total === target || !/^[1-9]\d{0,14}$/.test(total)) return;
    target = total;
    sink.record({ kind: "meta", line, key: "targetSteps", value: Number(total) });
  }

  function other(text: string, line: number, timeMs: number | null): void {
    if (TRIAL.test(text) || BANNER.test(text)) return context.start(line, text.trim().slice(0, 120), timeMs);
    const saved = SAVED.exec(text);
    if (saved !== null) {
      const parsed = parseStep(saved[2] ?? "");
      if ("step" in parsed)
        sink.record({ kind: "checkpoint", line, step: parsed.step, path: saved[1] ?? null, state: "unchecked", timeMs });
      return;
    }
    const resumed = parseStep(RESUMED.exec(text)?.[1] ?? "");
    if ("step" in resumed)
      return sink.record({
        kind: "note",
        line,
        code: "checkpoint-loaded",
        step: resumed.step,
        timeMs,
        text: text.trim().slice(0, 200),
      });
    for (const [pattern, key] of FACTS) {
      const value = Number(pattern.exec(text)?.[1]);
      if (value > 0) sink.record({ kind: "meta", line, key, value });
    }
  }

  return {
    line(text, line, timeMs) {
      const match = LINE.exec(text);
      if (script.skip(text, match !== null)) return;
      if (match !== null) data(match, line, timeMs);
      else if (BEGINNING.test(text))
        sink.issue({ line, code: "bad-line", message: "A line that begins with a step has no readable fields." });
      else other(text, line, timeMs);
    },
  };
}
