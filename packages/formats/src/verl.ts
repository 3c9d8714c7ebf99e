import type { LogFormat } from "./format.ts";
import { headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";
import { readTimestamp } from "./text/timestamp.ts";

/**
 * `(main_task pid=64899) step:12 - critic/kl:0.001 - actor/grad_norm:2.105`, `step:0 - train/loss:0.046 - train/lr(1e-3):0.002`.
 * The prefix of Ray may name an address; anything else in front is text that the model wrote.
 */
const LINE = /^(?:\([^()]{0,200}pid=\d+[^()]{0,100}\)\s{0,8})?step:([^\s:]{1,40}) - (.+)$/;
const SNIFFED = /^(?:\([^()]{0,200}pid=\d+[^()]{0,100}\)\s{0,8})?step:\d+ - [\w@./()-]+:\S+/;
const LAUNCH_SNIFFED = /\bverl\.trainer\.|'actor_rollout_ref': \{/;
/** Metric names have no blanks: `val-core/openai/gsm8k/reward/mean@1`, `critic/lr(1e-4)`. */
const NAME = /^[A-Za-z_][\w@./()+%=-]{0,199}$/;
/** numpy 2 prints its scalars by name: `np.float64(0.25)`. */
const NUMPY = /^np\.\w{3,12}\((.*)\)$/;
/** `2024-12-17 07:38:39,348 INFO worker.py:1792 -- Started a local Ray instance.` */
const RAY_STARTED = /Started a local Ray instance|Connected to Ray cluster/;

export const verl = {
  id: "verl",
  title: "verl console log",
  source: "Console logger of verl (PPO, GRPO and SFT trainers), with or without Ray's prefixes and colours.",
  sniff(head) {
    const lines = headLines(head);
    if (lines.some((line) => SNIFFED.test(line))) return 0.9;
    return lines.some((line) => LAUNCH_SNIFFED.test(line)) ? 0.7 : 0;
  },
  parser: (sink, options) => lineParser(sink, options, consoleLines),
} satisfies LogFormat;

function consoleLines(context: LineContext): LineHandler {
  const { sink, name } = context;

  function data(counter: string, rest: string, at: { readonly line: number; readonly timeMs: number | null }): void {
    const { line, timeMs } = at;
    const fields = rest.split(" - ").map(readField);
    // A sentence of the model may begin with "step:1 - ": a data line begins with a metric.
    if (fields[0] === undefined) return;
    const parsed = parseStep(counter);
    if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
    const values: [string, number][] = [];
    for (const field of fields) {
      if (field === undefined)
        sink.issue({ line, code: "unreadable-value", message: `Step ${parsed.step}: a field is no "name:number"; it was left out.` });
      else if (field.value === undefined)
        sink.issue({
          line,
          code: "unreadable-value",
          message: `Step ${parsed.step}: "${excerpt(field.name)}: ${excerpt(field.token)}" is no number; it was left out.`,
        });
      else values.push([name(field.name), field.value]);
    }
    if (values.length > 0)
      sink.record({ kind: "points", line, step: parsed.step, stepUnit: "optimizer-steps", timeMs, labels: {}, values });
  }

  return {
    line(text, line, timeMs) {
      const match = text.includes("step:") ? LINE.exec(text) : null;
      if (match !== null) return data(match[1] ?? "", match[2] ?? "", { line, timeMs });
      if (!text.includes("Ray") || !RAY_STARTED.test(text)) return;
      const civil = readTimestamp(text, 0);
      context.start(line, "Ray was started", civil === undefined ? timeMs : context.epochMs(civil));
    },
  };
}

interface Field {
  readonly name: string;
  readonly token: string;
  readonly value: number | undefined;
}

/** Splits at the last colon (metric names may hold one); undefined when there is no metric name. */
function readField(text: string): Field | undefined {
  const colon = text.lastIndexOf(":");
  if (colon <= 0) return undefined;
  const name = text.slice(0, colon).trim();
  const token = text.slice(colon + 1).trim();
  return NAME.test(name) ? { name, token, value: parseNumber(NUMPY.exec(token)?.[1] ?? token) } : undefined;
}
