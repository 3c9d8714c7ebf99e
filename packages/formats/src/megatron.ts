import type { LogFormat } from "./format.ts";
import { checkpointLine } from "./megatron/checkpoint-line.ts";
import { isBetweenLines, iterationLines, type IterationLine } from "./megatron/iteration-line.ts";
import { isLoss, readLosses, type LossReading } from "./megatron/missing-loss.ts";
import { runFacts } from "./megatron/run-facts.ts";
import { validationLine } from "./megatron/validation-line.ts";
import { countMatches, headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { parseStep, secondsOfMs } from "./text/number-token.ts";
import { readTimestamp } from "./text/timestamp.ts";

const ELAPSED_MS = "elapsed time per iteration (ms)";
const ELAPSED_S = "elapsed time per iteration (s)";
/** ` [2026-11-02 10:11:12.123456] iteration`: characters from the bracket to the counter. */
const STAMP_SEARCH_CHARS = 48;
/** `[20261102 10:11:12][rank-63/64][INFO ] [-------trainer.py:2382] :  iteration`: the longest prefix looked through. */
const PREFIX_CHARS = 120;
/** `[2023-11-29 08:52:27,711] [INFO] [logging.py:96:log_dist] [Rank 0] step=1, skipped=0`: DeepSpeed's own line of the step. */
const DEEPSPEED_STEP = /\[Rank \d+\] step=(\d+),/;

/** Losses remembered; a model has a handful, a damaged log could have any number. */
const MAX_LOSSES = 64;

const ITERATION_LINE = /iteration\s+\d+\/\s*\d+\s*\|.*(?:elapsed time per iteration|lm loss|learning rate)/;
/** `pretrain_gpt.py` in the command that a launcher prints first. */
const LAUNCH = /\bpretrain_[a-z0-9]+\.py\b/;
const BANNER = /using world size: \d+, data-parallel[- ]size: \d+/;
const ARGUMENT_LINE = /^\S*\s+[a-z_]+ \.{2,} \S/;

/** True when a head holds Megatron's iteration lines, or the banner of a launch that has not come so far. */
export function looksLikeMegatron(lines: readonly string[]): boolean {
  if (lines.some((line) => ITERATION_LINE.test(line) || BANNER.test(line) || LAUNCH.test(line))) return true;
  return lines.some((line) => line.includes("--- arguments ---")) && countMatches(lines, ARGUMENT_LINE) >= 5;
}

export const megatron = {
  id: "megatron",
  title: "Megatron-LM stdout",
  source:
    "Console output of Megatron-LM and its forks (Megatron-DeepSpeed, NeMo-era BigScience), of one rank or of several glued together.",
  sniff: (head) => (looksLikeMegatron(headLines(head)) ? 0.9 : 0),
  parser: (sink, options) => lineParser(sink, options, megatronLines),
} satisfies LogFormat;

function megatronLines(context: LineContext): LineHandler {
  const { sink } = context;
  const facts = runFacts(context);
  const losses = new Set<string>();
  let lastStep = -1;
  let lastSaved: string | undefined;
  let deepSpeedStep: { readonly step: number; readonly timeMs: number } | undefined;

  function iteration(
    found: IterationLine,
    at: { readonly text: string; readonly line: number; readonly collectedMs: number | null },
  ): void {
    const { text, line, collectedMs } = at;
    const parsed = parseStep(found.iteration);
    if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The iteration counter cannot be read: ${parsed.fault}.` });
    const { step } = parsed;
    for (const field of found.unreadable)
      sink.issue({ line, code: "unreadable-value", message: `Iteration ${step}: "${field}" is no number; it was left out.` });
    // Another launch, whose first lines may have no loss yet.
    if (step < lastStep) losses.clear();
    lastStep = step;
    const reading = found.unreadable.length > 0 ? asPrinted(found.fields) : readLosses(found.fields, losses);
    const timeMs = stampBefore(text, found.at) ?? (deepSpeedStep?.step === step ? deepSpeedStep.timeMs : collectedMs);
    remarks(reading, { step, timeMs, line });

    const values = reading.fields.map(([name, value]) => {
      if (isLoss(name) && losses.size < MAX_LOSSES) losses.add(name);
      return name === ELAPSED_MS ? ([ELAPSED_S, secondsOfMs(value)] as const) : ([name, value] as const);
    });
    if (values.length > 0) sink.record({ kind: "points", line, step, stepUnit: "optimizer-steps", timeMs, labels: NO_LABELS, values });
    facts.iteration(
      { total: Number(found.total), globalBatchSize: fieldOf(found, "global batch size"), sequenceLength: fieldOf(found, "actual seqlen") },
      line,
    );
  }

  function remarks(reading: LossReading, at: { readonly step: number; readonly timeMs: number | null; readonly line: number }): void {
    const { step, timeMs, line } = at;
    const note = (code: string, text: string): void => sink.record({ kind: "note", line, code, step, timeMs, text });
    for (const name of reading.absentAsNaN) {
      sink.issue({
        line,
        code: "loss-absent-nan",
        message: `Iteration ${step}: "${name}" is absent because Megatron leaves out a NaN loss; recorded as NaN.`,
      });
    }
    for (const name of reading.absentUnknown) {
      sink.issue({
        line,
        code: "loss-absent",
        message: `Iteration ${step}: "${name}" is absent; Megatron leaves out a NaN or negative loss.`,
      });
    }
    if (reading.nan > 0) note("nan-iterations", `${reading.nan} iterations of this interval had a loss that was not finite`);
    if (reading.skipped > 0) {
      const emptyMean = reading.emptyMean ? "; all were, so the printed loss of 0 is the mean of none and was left out" : "";
      note("iterations-skipped", `${reading.skipped} iterations of this interval were skipped${emptyMean}`);
    }
  }

  function checkpoint(text: string, line: number, collectedMs: number | null): void {
    const found = checkpointLine(text);
    if (found === undefined) return;
    const timeMs = firstStamp(text) ?? collectedMs;
    if (found.kind === "loaded") {
      sink.record({
        kind: "note",
        line,
        code: "checkpoint-loaded",
        step: found.step,
        timeMs,
        text: `loaded checkpoint of iteration ${found.step} from ${found.path}`,
      });
      return;
    }
    // Every rank of a DeepSpeed run says it; one record a checkpoint is enough.
    const key = `${found.step} ${found.path ?? ""}`;
    if (key === lastSaved) return;
    lastSaved = key;
    sink.record({ kind: "checkpoint", line, step: found.step, path: found.path, state: "unchecked", timeMs });
  }

  /** The stamp right before a counter, else the one that the line begins with (log prefixes of forks). */
  function stampBefore(text: string, at: number): number | null {
    const bracket = text.lastIndexOf("[", at);
    const isNear = bracket >= 0 && at - bracket <= STAMP_SEARCH_CHARS && isBetweenLines(text.slice(bracket, at));
    const civil = isNear ? readTimestamp(text, bracket + 1) : undefined;
    if (civil !== undefined) return context.epochMs(civil);
    return at <= PREFIX_CHARS ? firstStamp(text) : null;
  }

  function firstStamp(text: string): number | null {
    const bracket = text.indexOf("[2");
    const civil = bracket < 0 || bracket > PREFIX_CHARS ? undefined : readTimestamp(text, bracket + 1);
    return civil === undefined ? null : context.epochMs(civil);
  }

  function otherLine(text: string, line: number, collectedMs: number | null): void {
    if (text.includes("checkpoint") || text.includes("Checkpoint")) checkpoint(text, line, collectedMs);
    const match = text.includes("] step=") ? DEEPSPEED_STEP.exec(text) : null;
    const timeMs = match === null ? null : firstStamp(text);
    if (match !== null && timeMs !== null) deepSpeedStep = { step: Number(match[1]), timeMs };
    if (text.includes("using world size")) losses.clear();
    facts.line(text, line);
  }

  function validation(text: string, line: number, timeMs: number | null): void {
    const found = validationLine(text, context.name);
    const parsed = parseStep(found?.iteration ?? "");
    if (found === undefined || "fault" in parsed || found.fields.length === 0) return;
    sink.record({
      kind: "points",
      line,
      step: parsed.step,
      stepUnit: "optimizer-steps",
      timeMs,
      labels: NO_LABELS,
      values: found.fields,
    });
  }

  return {
    line(text, line, collectedMs) {
      const found = text.includes("iteration ") && text.includes("|") ? iterationLines(text, context.name) : [];
      for (const one of found) iteration(one, { text, line, collectedMs });
      if (found.length > 0) return;
      if (text.includes(" loss at iteration")) validation(text, line, collectedMs);
      else otherLine(text, line, collectedMs);
    },
  };
}

const NO_LABELS = {} as const;

function asPrinted(fields: IterationLine["fields"]): LossReading {
  return { fields, absentAsNaN: [], absentUnknown: [], skipped: 0, nan: 0, emptyMean: false };
}

function fieldOf(found: IterationLine, name: string): number | undefined {
  return found.fields.find(([field]) => field === name)?.[1];
}
