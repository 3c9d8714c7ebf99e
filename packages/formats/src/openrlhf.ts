import type { LogFormat } from "./format.ts";
import { headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { excerpt, parseNumber, parseStep } from "./text/number-token.ts";
import { readTimestamp } from "./text/timestamp.ts";

/** `(PPOTrainer pid=4711) INFO 05-01 10:00:00 ppo_trainer.py:412] ✨ Global step 12: {'policy_loss': 0.01, 'reward': 0.5}` */
const GLOBAL = /\bGlobal step (\S{1,40}): \{(.{0,20000})\}\s{0,8}$/;
/** One field of the printed dict; its numbers may be wrapped: `tensor(0.5)`, `np.float64(0.5)`. */
const FIELD = /'([A-Za-z_][\w@./-]{0,199})': (?:(?:tensor|np\.\w{3,12})\(([^()]{0,60})\)|([^,'()[\]{}]{1,60}))/g;
/** `Episode [1/2]:  50%|█████     | 2/4 [00:30<00:30, 15.00s/it, policy_loss=0.01, reward=0.5]`: tqdm's bar with the step's status. */
const BAR =
  /\bEpisode \[(\d{1,9})\/\d{1,9}\]:\s{0,8}\d{1,3}%\|[^|]{0,200}\| (\d{1,9})\/(\d{1,9}) \[[^\],]{1,40}, [^\],]{1,20}, ([^\]]{1,4000})\]/;
/** Names that only such a status has. */
const STATUS = /\b(?:policy_loss|actor_lr|response_length|ppo_clip_ratio)'?[:=]/;

/**
 * Console output of OpenRLHF's PPO family. Newer versions print the status of each global step; older ones show it in the progress bar
 * only, which repeats it until the next: it counts once, at the bar's last place. The bar inside a step ("Train epoch") has no step.
 */
export const openrlhf = {
  id: "openrlhf",
  title: "OpenRLHF console log",
  source: "Console output of OpenRLHF's PPO, REINFORCE++ and GRPO trainers, with or without Ray's prefixes.",
  sniff(head) {
    const lines = headLines(head);
    return lines.some((line) => (GLOBAL.test(line) || BAR.test(line)) && STATUS.test(line)) ? 0.9 : 0;
  },
  parser: (sink, options) => lineParser(sink, options, statusLines),
} satisfies LogFormat;

interface Held {
  readonly postfix: string;
  readonly step: number;
  readonly line: number;
  readonly timeMs: number | null;
}

function statusLines(context: LineContext): LineHandler {
  const { sink, name } = context;
  let printsSteps = false;
  let held: Held | null = null;

  function give(
    step: number,
    fields: readonly (readonly [name: string, token: string])[],
    at: { readonly line: number; readonly timeMs: number | null },
  ): void {
    const values: [string, number][] = [];
    for (const [key, token] of fields) {
      const value = parseNumber(token);
      if (value !== undefined) values.push([name(key), value]);
      else
        sink.issue({
          line: at.line,
          code: "unreadable-value",
          message: `Step ${step}: "${excerpt(key)}" holds "${excerpt(token)}", which is no number; it was left out.`,
        });
    }
    if (values.length > 0)
      sink.record({ kind: "points", line: at.line, step, stepUnit: "optimizer-steps", timeMs: at.timeMs, labels: {}, values });
  }

  function giveHeld(): void {
    if (held !== null && !printsSteps) give(held.step, barFields(held.postfix), held);
    held = null;
  }

  return {
    line(text, line, collectedMs) {
      const found = text.includes("Global step") ? GLOBAL.exec(text) : null;
      if (found !== null) {
        const fields = statusFields(found[2] ?? "");
        if (fields.length === 0) return;
        const parsed = parseStep(found[1] ?? "");
        if ("fault" in parsed) return sink.issue({ line, code: "bad-step", message: `The step cannot be read: ${parsed.fault}.` });
        printsSteps = true;
        return give(parsed.step, fields, { line, timeMs: stampOf(text, context) ?? collectedMs });
      }
      const bar = !printsSteps && text.includes("Episode [") ? BAR.exec(text) : null;
      if (bar === null) return;
      const [, episode, at, total, postfix = ""] = bar;
      if (held !== null && held.postfix !== postfix) giveHeld();
      held = { postfix, step: (Number(episode) - 1) * Number(total) + Number(at), line, timeMs: collectedMs };
    },
    end: giveHeld,
  };
}

function statusFields(body: string): readonly (readonly [name: string, token: string])[] {
  return [...body.matchAll(FIELD)].map(
    ([, key = "", wrapped, plain]) => [key, (wrapped ?? plain ?? "").split(",", 1)[0]?.trim() ?? ""] as const,
  );
}

function barFields(postfix: string): readonly (readonly [name: string, token: string])[] {
  return postfix.split(",").flatMap((field) => {
    const [, key, token] = /^\s{0,8}([A-Za-z_][\w@./-]{0,199})=(\S{1,40})\s{0,8}$/.exec(field) ?? [];
    return key === undefined || token === undefined ? [] : [[key, token] as const];
  });
}

/** Python's logger writes the date with or without a year; without one it is not known. */
function stampOf(text: string, context: LineContext): number | null {
  const place = /\b\d{4}-\d{2}-\d{2}[ T]/.exec(text.slice(0, 160))?.index;
  const civil = place === undefined ? undefined : readTimestamp(text, place);
  return civil === undefined ? null : context.epochMs(civil);
}
