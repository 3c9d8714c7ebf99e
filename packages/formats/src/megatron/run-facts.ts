import type { LineContext } from "../text/line-parser.ts";

/** Meta keys that `RunMetadata` knows. */
type FactKey = "gpus" | "tokensPerStep" | "targetSteps" | "checkpointEvery";

export interface RunFacts {
  /** A line that is no iteration line. True when it was about run facts. */
  line(text: string, number: number): boolean;
  /** The counters of an iteration line. */
  iteration(
    facts: { readonly total: number; readonly globalBatchSize: number | undefined; readonly sequenceLength: number | undefined },
    number: number,
  ): void;
}

/** `vm-07-05:   seq_length ...................................... 2048` */
const ARGUMENT = /(?:^|\s)([a-z_]+) \.{2,} (\S+)\s*$/;
/** `using world size: 16, data-parallel-size: 16, ...`, printed once a launch by rank 0. */
const WORLD_SIZE = /using world size: (\d+)/;

/**
 * Collects world size, tokens per step, target steps and checkpoint interval from the banner and the iteration lines.
 * Each is given out when first known and whenever it changes (batch size ramps up).
 */
export function runFacts(context: LineContext): RunFacts {
  const said = new Map<FactKey, number>();
  let inArguments = false;
  let sequenceLength: number | undefined;

  function say(key: FactKey, value: number, line: number): void {
    if (!Number.isSafeInteger(value) || value <= 0 || said.get(key) === value) return;
    said.set(key, value);
    context.sink.record({ kind: "meta", line, key, value });
  }

  function argument(text: string, number: number): void {
    const match = ARGUMENT.exec(text);
    const value = Number(match?.[2]);
    if (match?.[1] === "seq_length") sequenceLength = value;
    else if (match?.[1] === "train_iters") say("targetSteps", value, number);
    else if (match?.[1] === "save_interval") say("checkpointEvery", value, number);
    else if (match?.[1] === "world_size") say("gpus", value, number);
  }

  return {
    line(text, number) {
      if (inArguments) {
        if (text.includes("end of arguments")) inArguments = false;
        else argument(text, number);
        return true;
      }
      if (text.includes("--- arguments ---")) {
        inArguments = true;
        return true;
      }
      const world = text.includes("using world size") ? WORLD_SIZE.exec(text) : null;
      if (world === null) return false;
      context.start(number, "Megatron prints its world size once a launch", null);
      say("gpus", Number(world[1]), number);
      return true;
    },
    iteration(facts, number) {
      say("targetSteps", facts.total, number);
      const length = facts.sequenceLength ?? sequenceLength;
      if (facts.globalBatchSize !== undefined && length !== undefined) say("tokensPerStep", facts.globalBatchSize * length, number);
    },
  };
}
