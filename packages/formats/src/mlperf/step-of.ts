import { parseStep } from "../text/number-token.ts";

export interface SampleStep {
  /** Samples seen; null when the entry only names an epoch. */
  readonly step: number | null;
  /** The epoch when it is no sample count. */
  readonly epoch?: number;
  readonly fault?: string;
}

/**
 * Where an entry stands. The dialects call the sample count `step`, `samples_count` or (GPT-3) `epoch_num`;
 * in vision benchmarks `epoch_num` is a true epoch: smaller than one global batch.
 */
export function stepOf(metadata: ReadonlyMap<string, unknown>, globalBatchSize: number | undefined): SampleStep {
  const count = metadata.get("step") ?? metadata.get("samples_count");
  if (count !== undefined && count !== null) return asStep(count);
  const epoch = metadata.get("epoch_num") ?? null;
  if (typeof epoch === "number" && globalBatchSize !== undefined && epoch < globalBatchSize && epoch !== 0) return { step: null, epoch };
  return asStep(epoch ?? metadata.get("step_num") ?? null);
}

/** Whether an entry says at which sample or epoch it was; facts about the run do not. */
export function saysWhere(metadata: ReadonlyMap<string, unknown>): boolean {
  return ["step", "samples_count", "epoch_num", "step_num"].some((name) => (metadata.get(name) ?? null) !== null);
}

/** Counters may be written as floats (`896.0`) or text. */
function asStep(value: unknown): SampleStep {
  if (value === null) return { step: null };
  const text = typeof value === "number" ? plainDigits(value) : String(value);
  const parsed = parseStep(text);
  return "step" in parsed ? { step: parsed.step } : { step: null, fault: parsed.fault };
}

function plainDigits(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** Rows with a throughput average over a block of steps. */
export function isSummary(numbers: readonly (readonly [name: string, value: number])[]): boolean {
  return numbers.some(([name]) => name === "throughput");
}
