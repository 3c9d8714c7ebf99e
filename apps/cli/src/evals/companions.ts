import type { Readable } from "node:stream";
import type { EvalRecord } from "@trainwatch/core";
import { companionOf, planEvalSet, type EvalCompanion, type EvalOptions } from "@trainwatch/formats";
import type { CommandIo } from "../frame/io.ts";
import { readEvalFile } from "./read-eval-file.ts";
import type { EvalInput } from "./sort-inputs.ts";

/** A file and how to read it. */
export interface PlannedEval {
  readonly input: EvalInput;
  readonly options: EvalOptions;
}

/** In the order to read them; a sample file knows the results file that was written with it, where the set has it. */
export async function withCompanions(
  inputs: readonly EvalInput[],
  options: EvalOptions,
  io: CommandIo,
  stdin: Readable,
): Promise<readonly PlannedEval[]> {
  const { order, companionPath } = planEvalSet(inputs);
  const companions = new Map<string, EvalCompanion | null>();
  for (const path of new Set(companionPath.values())) {
    const input = inputs.find((candidate) => candidate.path === path);
    if (input !== undefined) companions.set(path, await companionIn(input, options, io, stdin));
  }
  return order.map((input) => {
    const companion = companions.get(companionPath.get(input.path) ?? "") ?? null;
    return { input, options: companion === null ? options : { ...options, companion } };
  });
}

async function companionIn(input: EvalInput, options: EvalOptions, io: CommandIo, stdin: Readable): Promise<EvalCompanion | null> {
  const records: EvalRecord[] = [];
  await readEvalFile(input, options, io, stdin, (record) => void records.push(record));
  return companionOf(records);
}
