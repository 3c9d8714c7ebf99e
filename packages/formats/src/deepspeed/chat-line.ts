import { parseNumber } from "../text/number-token.ts";

/**
 * `epoch: 0|step: 38|ppo_ep: 1|act_loss: -0.0121|cri_loss: 0.0180|unsuper_loss: 0.0`, later versions
 * `Epoch: 0 | Step: 38 | PPO Epoch: 1 | Actor Loss: -0.0121 | Critic Loss: 0.0180 | Unsupervised Loss: 0.0`
 */
const PPO = /^\s*epoch: ([^|\s]{1,40})\s{0,8}\|\s{0,8}step: ([^|\s]{1,40})\s{0,8}\|(.*)$/i;
/** `Epoch: 0, Step: 10, Rank: 0, loss = 2.3125` */
const SFT = /^\s*Epoch: (\d{1,9}), Step: ([^,\s]{1,40}), Rank: (\d{1,6}), loss = (\S{1,40})/;
/** `average reward score: 0.96435546875`, later `Average reward score: 0.96 | EMA reward score: 0.95` */
const REWARD = /^\s*average reward score:/i;
/** `|E2E latency=3.80s |Gather latency=0.00s (0.00%) |Generate time=2.55s (67.18%) |Training time=1.03s (27.07%) |Others=0.22 (5.75%)|CurSamplesPerSec=16.86 |AvgSamplesPerSec=16.35` */
const LATENCY = /^\s*\|E2E latency=/;
/** `End-to-End => Latency: 4.50s, TFLOPs: 20.50, Samples/sec: 8.50, Time/seq 0.12s, Batch Size: 32`, the later latency line */
const END_TO_END = /^\s*End-to-End => Latency: ([^s,]{1,40})s,/;
/** `Beginning of Epoch 1/16, Total Micro Batches 460`, `Beginning of Epoch 1/1, Total Generation Batches 477` */
const EPOCH = /^\s*Beginning of Epoch (\d{1,9})\/\d+, Total (?:Micro|Generation) Batches (\d{1,15})/;
/** `***** Evaluating perplexity, Epoch 2/16 *****`, then `ppl: 4998.29638671875` */
const EVALUATING = /Evaluating (?:perplexity|reward), Epoch (\d{1,9})\/\d+/;
const PERPLEXITY = /^\s*ppl: (\S{1,40})/;

type Values = readonly (readonly [name: string, value: number])[];

export type ChatLine =
  | {
      readonly kind: "ppo" | "sft";
      readonly epoch: string;
      readonly step: string;
      readonly rank: string | undefined;
      readonly values: Values;
      readonly unreadable: readonly string[];
    }
  | { readonly kind: "follow-up"; readonly values: Values; readonly unreadable: readonly string[] }
  | { readonly kind: "epoch"; readonly epoch: number; readonly batches: number }
  | { readonly kind: "evaluating"; readonly epochs: number }
  | { readonly kind: "perplexity"; readonly values: Values; readonly unreadable: readonly string[] };

/** What a line of DeepSpeed-Chat's training scripts says; undefined for all others. */
export function chatLine(text: string): ChatLine | undefined {
  const ppo = PPO.exec(text);
  if (ppo !== null) return { kind: "ppo", epoch: ppo[1] ?? "", step: ppo[2] ?? "", rank: undefined, ...colonFields(ppo[3] ?? "") };
  const sft = SFT.exec(text);
  if (sft !== null)
    return {
      kind: "sft",
      epoch: sft[1] ?? "",
      step: sft[2] ?? "",
      rank: Number(sft[3]) === 0 ? undefined : sft[3],
      ...numbers([["loss", sft[4] ?? ""]]),
    };
  if (REWARD.test(text)) return { kind: "follow-up", ...colonFields(text) };
  if (LATENCY.test(text)) return { kind: "follow-up", ...latencyFields(text) };
  const latency = END_TO_END.exec(text)?.[1];
  if (latency !== undefined) return { kind: "follow-up", ...numbers([["End-to-End Latency (s)", latency]]) };
  const epoch = EPOCH.exec(text);
  if (epoch !== null) return { kind: "epoch", epoch: Number(epoch[1]) - 1, batches: Number(epoch[2]) };
  const evaluating = EVALUATING.exec(text);
  if (evaluating !== null) return { kind: "evaluating", epochs: Number(evaluating[1]) };
  const perplexity = PERPLEXITY.exec(text);
  return perplexity === null ? undefined : { kind: "perplexity", ...numbers([["eval/validation/ppl", perplexity[1] ?? ""]]) };
}

/** `name: number|name: number`; `ppo_ep` counts passes and is no measurement. */
function colonFields(text: string): { readonly values: Values; readonly unreadable: readonly string[] } {
  const fields = text.split("|").filter((field) => field.trim() !== "" && !/^\s*ppo[_ ]ep/i.test(field));
  return numbers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, Math.max(colon, 0)).trim(), field.slice(colon + 1).trim()];
    }),
  );
}

/** `Generate time=2.55s (67.18%)` becomes `Generate time (s)`; the share is left out. */
function latencyFields(text: string): { readonly values: Values; readonly unreadable: readonly string[] } {
  const fields = text.split("|").filter((field) => field.includes("="));
  return numbers(
    fields.map((field): [string, string] => {
      const [key = "", rest = ""] = field.split("=");
      const token = rest.trim().split(" ")[0] ?? "";
      return token.endsWith("s") ? [`${key.trim()} (s)`, token.slice(0, -1)] : [key.trim(), token];
    }),
  );
}

function numbers(fields: readonly (readonly [name: string, token: string])[]): {
  readonly values: Values;
  readonly unreadable: readonly string[];
} {
  const values: [string, number][] = [];
  const unreadable: string[] = [];
  for (const [name, token] of fields) {
    const value = parseNumber(token);
    if (value === undefined || name === "") unreadable.push(`${name}: ${token}`.slice(0, 80));
    else values.push([name, value]);
  }
  return { values, unreadable };
}
