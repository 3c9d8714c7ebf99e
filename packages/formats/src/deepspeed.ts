import { chatLine, type ChatLine } from "./deepspeed/chat-line.ts";
import { deepSpeedLine, type DeepSpeedLine } from "./deepspeed/deepspeed-line.ts";
import { epochCounter } from "./deepspeed/epoch-counter.ts";
import type { LogFormat } from "./format.ts";
import { looksLikeMegatron } from "./megatron.ts";
import { checkpointLine } from "./megatron/checkpoint-line.ts";
import { countMatches, headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseStep } from "./text/number-token.ts";
import { readTimestamp } from "./text/timestamp.ts";

const SNIFFED =
  /\[Rank \d+\] step=\d+, skipped=|\/global_step=\d+, |OVERFLOW! .*Skipping step|^\s*epoch: \d+\s*\|\s*step: \d+\s*\||^Epoch: \d+, Step: \d+, Rank: \d+, loss = |steps: \d+ loss: \S+ iter time \(s\):/i;
const LAUNCH_SNIFFED = /\] \[INFO\] \[(?:config|engine|launch|runner|real_accelerator|comm)\.py:\d+:/;
/** `[2023-11-29 08:50:46,232] [INFO] [launch.py:145:main] WORLD INFO DICT: {...}`, once a node and launch. */
const LAUNCH = /\[launch\.py:\d+:main\] WORLD INFO DICT/;

export const deepspeed = {
  id: "deepspeed",
  title: "DeepSpeed and DeepSpeed-Chat stdout",
  source: "Console output of DeepSpeed's engine, and of DeepSpeed-Chat's SFT and RLHF scripts on top of it.",
  sniff(head) {
    const lines = headLines(head);
    // Megatron-DeepSpeed prints lines of both; Megatron's hold the loss.
    if (looksLikeMegatron(lines)) return 0;
    if (lines.some((line) => SNIFFED.test(line))) return 0.85;
    return countMatches(lines, LAUNCH_SNIFFED) >= 3 ? 0.6 : 0;
  },
  parser: (sink, options) => lineParser(sink, options, engineLines),
} satisfies LogFormat;

interface Place {
  readonly line: number;
  readonly timeMs: number | null;
}

function engineLines(context: LineContext): LineHandler {
  const { sink } = context;
  const counter = epochCounter();
  /** The step that reward and latency lines belong to. */
  let chatStep: number | undefined;
  let evaluatedAt: number | null = null;
  let lastOptimizerStep: number | undefined;
  let lastSaved: number | undefined;

  function points(
    step: number | null,
    values: readonly (readonly [string, number])[],
    at: Place,
    labels: Readonly<Record<string, string>> = {},
  ): void {
    if (values.length > 0)
      sink.record({ kind: "points", line: at.line, step, stepUnit: "optimizer-steps", timeMs: at.timeMs, labels, values });
  }

  function readStep(token: string, line: number): number | undefined {
    const parsed = parseStep(token);
    if ("step" in parsed) return parsed.step;
    sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
    return undefined;
  }

  function complain(unreadable: readonly string[], line: number): void {
    for (const field of unreadable)
      sink.issue({ line, code: "unreadable-value", message: `"${excerpt(field)}" is no number; it was left out.` });
  }

  function engine(found: DeepSpeedLine, at: Place): void {
    if (found.kind === "overflow") return overflow(found, at);
    complain(found.unreadable, at.line);
    const step = readStep(found.counter, at.line);
    if (step === undefined) return;
    if (found.micro !== undefined) counter.optimizerStep(found.micro, step);
    const engineName = engineOf(found, step);
    const values =
      engineName === undefined
        ? found.values
        : found.values.map(([key, value]): [string, number] => [context.name(`${engineName}/${key}`), value]);
    points(step, values, at, found.rank === undefined ? {} : { rank: found.rank });
  }

  /**
   * In RLHF two engines step in turn, the actor's before the critic's (DeepSpeed-Chat, ppo_trainer.train_rlhf), and both
   * print the same step. Elsewhere there is one engine, and no name is put in front.
   */
  function engineOf(found: DeepSpeedLine & { kind: "step" }, step: number): "actor" | "critic" | undefined {
    if (found.origin !== "optimizer" || chatStep === undefined) return undefined;
    const isSecond = step === lastOptimizerStep;
    lastOptimizerStep = isSecond ? undefined : step;
    return isSecond ? "critic" : "actor";
  }

  /** The line names no step; its time places it between the steps around it. */
  function overflow(found: DeepSpeedLine & { kind: "overflow" }, at: Place): void {
    if (found.rank !== undefined) return;
    const { attempted, scale } = found;
    if (attempted === undefined || scale === undefined) return complain(["loss scale"], at.line);
    const text =
      scale === attempted
        ? `gradient overflow at loss scale ${attempted}: step skipped`
        : `gradient overflow at loss scale ${attempted}: step skipped, scale reduced to ${scale}`;
    sink.record({ kind: "note", line: at.line, code: "overflow", step: null, timeMs: at.timeMs, text });
    points(null, [["loss_scale", scale]], at);
  }

  function chat(found: ChatLine, at: Place): void {
    if (found.kind === "epoch") return counter.batches(found.batches);
    if (found.kind === "evaluating") {
      evaluatedAt = counter.stepsAfter(found.epochs);
      return;
    }
    complain(found.unreadable, at.line);
    if (found.kind === "follow-up") return followUp(found.values, at);
    if (found.kind === "perplexity") return points(evaluatedAt, found.values, at);
    const epoch = readStep(found.epoch, at.line);
    const batch = readStep(found.step, at.line);
    if (epoch === undefined || batch === undefined) return;
    const step = counter.global(epoch, batch);
    if (found.kind === "ppo") chatStep = step;
    points(step, found.values, at, found.rank === undefined ? {} : { rank: found.rank });
  }

  function followUp(values: readonly (readonly [string, number])[], at: Place): void {
    if (chatStep !== undefined) return points(chatStep, values, at);
    sink.issue({
      line: at.line,
      code: "value-without-step",
      message: "A reward or latency line stands before any step line; it was left out.",
    });
  }

  function checkpoint(text: string, at: Place): void {
    const found = checkpointLine(text);
    if (found?.kind !== "saved" || found.step === lastSaved) return;
    lastSaved = found.step;
    sink.record({ kind: "checkpoint", line: at.line, step: found.step, path: found.path, state: "unchecked", timeMs: at.timeMs });
  }

  return {
    line(text, line, collectedMs) {
      const own = (): Place => ({ line, timeMs: stamp(text, context) ?? collectedMs });
      const engineLine = deepSpeedLine(text);
      if (engineLine !== undefined) return engine(engineLine, own());
      const chatFound = chatLine(text);
      if (chatFound !== undefined) return chat(chatFound, { line, timeMs: collectedMs });
      if (text.includes("heckpoint")) return checkpoint(text, own());
      if (LAUNCH.test(text)) context.start(line, "DeepSpeed's launcher prints its world once a launch", own().timeMs);
    },
  };
}

/** `[2023-04-18 01:46:59,142] [INFO] ...`, also behind the host name that pdsh puts in front. */
function stamp(text: string, context: LineContext): number | null {
  const bracket = text.indexOf("[2");
  const civil = bracket < 0 || bracket > 80 ? undefined : readTimestamp(text, bracket + 1);
  return civil === undefined ? null : context.epochMs(civil);
}
