import { parseNumber } from "../text/number-token.ts";

/** `[2023-04-18 01:46:59,142] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=6, lr=[9.6e-06, 9.6e-06], mom=[(0.9, 0.95)]` */
const STEP = /\[Rank (\d{1,6})\] step=([^,\s]{1,40}), skipped=([^,\s]{1,40}), lr=\[([^\]]*)\]/;
/** `... [timer.py:199:stop] epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=173.4, CurrSamplesPerSec=171.9, MemAllocated=3.96GB` */
const TIMER = /epoch=(\d{1,9})\/micro_step=(\d{1,15})\/global_step=([^,\s]{1,40}), (.*)$/;
const TIMER_FIELD = /(\w{1,64})=([^,\s]{1,40})/g;
const GIGABYTES = /^([\d.]+)GB$/;
/** Pipeline engine: `steps: 10 loss: 2.3456 iter time (s): 1.230 samples/sec: 12.345`, with named losses after the first. */
const PIPELINE = /steps: (\S{1,40}) (loss: .{1,400}?)iter time \(s\): (\S{1,40}) samples\/sec: (\S{1,40})/;
const PIPELINE_LOSS = /([A-Za-z][\w ]{0,60}): (\S{1,40})/g;
/** `OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768`, or `, but hysteresis is 2. Reducing hysteresis to 1` */
const OVERFLOW =
  /OVERFLOW! (?:Rank (\d{1,6}) )?Skipping step\. Attempted loss scale: ([^,\s]{1,40}), (?:reducing to ([^\s,]{1,40})|but hysteresis)/;

type Values = readonly (readonly [name: string, value: number])[];

/** Micro steps done in an epoch, as the timer counts them. */
export interface MicroStep {
  readonly epoch: number;
  readonly microStep: number;
}

export type DeepSpeedLine =
  | {
      readonly kind: "step";
      readonly counter: string;
      readonly rank: string | undefined;
      readonly values: Values;
      readonly unreadable: readonly string[];
      readonly origin: "optimizer" | "timer" | "pipeline";
      readonly micro?: MicroStep;
    }
  | {
      readonly kind: "overflow";
      readonly rank: string | undefined;
      readonly attempted: number | undefined;
      readonly scale: number | undefined;
    };

/** What a line of DeepSpeed's own loggers says; undefined for all others. */
export function deepSpeedLine(text: string): DeepSpeedLine | undefined {
  if (text.includes("] step=")) return optimizerStep(text);
  if (text.includes("/global_step=")) return timer(text);
  if (text.includes("OVERFLOW!")) return overflow(text);
  return text.includes("steps: ") ? pipeline(text) : undefined;
}

function optimizerStep(text: string): DeepSpeedLine | undefined {
  const match = STEP.exec(text);
  if (match === null) return undefined;
  const [, rank, counter = "", skipped = "", rates = ""] = match;
  const tokens = rates
    .split(",")
    .map((rate) => rate.trim())
    .filter((rate) => rate !== "");
  const [first] = tokens;
  // Parameter groups mostly share one rate; those that differ are kept apart.
  const named = tokens
    .map((token, group): [string, string] => [group === 0 ? "lr" : `lr[${group}]`, token])
    .filter(([, token], group) => group === 0 || token !== first);
  return { kind: "step", counter, rank: otherRank(rank), origin: "optimizer", ...numbers([["skipped", skipped], ...named]) };
}

function timer(text: string): DeepSpeedLine | undefined {
  const match = TIMER.exec(text);
  if (match === null) return undefined;
  const [, epoch, microStep, counter = "", rest = ""] = match;
  const fields = [...rest.matchAll(TIMER_FIELD)].map(([, key = "", token = ""]): [string, string] => {
    const gigabytes = GIGABYTES.exec(token)?.[1];
    return gigabytes === undefined ? [key, token] : [`${key}(GB)`, gigabytes];
  });
  const micro = { epoch: Number(epoch), microStep: Number(microStep) };
  return { kind: "step", counter, rank: undefined, origin: "timer", micro, ...numbers(fields) };
}

function pipeline(text: string): DeepSpeedLine | undefined {
  const match = PIPELINE.exec(text);
  if (match === null) return undefined;
  const [, counter = "", losses = "", time = "", rate = ""] = match;
  const named = [...losses.matchAll(PIPELINE_LOSS)].map(([, key = "", token = ""]): [string, string] => [key.trim(), token]);
  return {
    kind: "step",
    counter,
    rank: undefined,
    origin: "pipeline",
    ...numbers([...named, ["iter time (s)", time], ["samples/sec", rate]]),
  };
}

function overflow(text: string): DeepSpeedLine | undefined {
  const match = OVERFLOW.exec(text);
  if (match === null) return undefined;
  const [, rank, attempted = "", reduced] = match;
  return { kind: "overflow", rank: otherRank(rank), attempted: parseNumber(attempted), scale: parseNumber(reduced ?? attempted) };
}

/** Rank 0 speaks for the run and needs no label. */
function otherRank(rank: string | undefined): string | undefined {
  return rank === undefined || Number(rank) === 0 ? undefined : rank;
}

function numbers(fields: readonly (readonly [name: string, token: string])[]): {
  readonly values: Values;
  readonly unreadable: readonly string[];
} {
  const values: [string, number][] = [];
  const unreadable: string[] = [];
  for (const [name, token] of fields) {
    const value = parseNumber(token);
    if (value === undefined) unreadable.push(`${name}: ${token}`);
    else values.push([name, value]);
  }
  return { values, unreadable };
}
