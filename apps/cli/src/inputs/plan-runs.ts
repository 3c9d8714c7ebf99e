import type { Readable } from "node:stream";
import type { LogFormat, ParseOptions } from "@trainwatch/formats";
import { containers, StateCollector } from "./contained-states.ts";
import type { StatePoints } from "./contained-states.ts";
import type { ListedInput } from "./list-inputs.ts";
import { openLog } from "./open-log.ts";
import type { Opening } from "./open-log.ts";
import type { ReadSettings } from "./read-settings.ts";
import { DEFAULT_PROJECT, nameFiles } from "./run-name.ts";
import type { RunName } from "./run-name.ts";

/** The format whose files repeat the history of the ones before. */
const CUMULATIVE_FORMAT = "hf-trainer-state";

export interface PlannedRun extends RunName {
  /** The user has said what it is called. */
  readonly isNamed: boolean;
  /** Inputs in the order in which they are read. */
  readonly inputs: readonly ListedInput[];
}

export interface PlanOptions extends ReadSettings {
  /** All inputs are one run. */
  readonly run: RunName | null;
}

/** A file is its own run unless `--run` says otherwise; a Hugging Face state that a later one contains goes into the later one's run. */
export async function planRuns(inputs: readonly ListedInput[], options: PlanOptions, stdin: Readable): Promise<readonly PlannedRun[]> {
  const readable = inputs.filter((input) => input.fault === null);
  if (options.run !== null) return readable.length === 0 ? [] : [{ ...options.run, isNamed: true, inputs: readable }];
  const homes = await homesOf(readable, options, stdin);
  const names = nameFiles(readable.map((input) => input.path));
  return readable.flatMap((_, home): PlannedRun[] => {
    const members = readable
      .filter((__, index) => homes[index]?.home === home)
      .map((input) => ({ input, points: homes[readable.indexOf(input)]?.points ?? 0 }));
    if (members.length === 0) return [];
    members.sort((a, b) => a.points - b.points);
    return [{ project: DEFAULT_PROJECT, name: names[home] ?? "run", isNamed: false, inputs: members.map((member) => member.input) }];
  });
}

interface Home {
  /** Index of the input whose run it goes into. */
  readonly home: number;
  readonly points: number;
}

async function homesOf(inputs: readonly ListedInput[], options: PlanOptions, stdin: Readable): Promise<readonly Home[]> {
  const states: { readonly index: number; readonly points: StatePoints }[] = [];
  // One file has nobody to be contained in, and standard input can be read once only.
  const candidates = inputs.length < 2 ? [] : inputs.map((input, index) => ({ input, index })).filter(({ input }) => input.path !== "-");
  for (const { input, index } of candidates) {
    const opening = await openLog(input.path, stdin, options.format);
    const points = opening.ok && opening.log.format.id === CUMULATIVE_FORMAT ? await collect(opening, options.parse) : null;
    if (points !== null) states.push({ index, points });
    else if (opening.ok) await opening.log.close();
  }
  const inside = containers(states.map((state) => state.points));
  const homes: Home[] = inputs.map((_, index) => ({ home: index, points: 0 }));
  for (const [position, state] of states.entries()) {
    const container = states[inside[position] ?? position];
    const count = [...state.points.values()].reduce((sum, series) => sum + series.size, 0);
    homes[state.index] = { home: container?.index ?? state.index, points: count };
  }
  return homes;
}

async function collect(opening: Extract<Opening, { readonly ok: true }>, options: ParseOptions): Promise<StatePoints> {
  const collector = new StateCollector();
  const parser = opening.log.format.parser({ record: (record) => collector.accept(record), issue: () => undefined }, options);
  for await (const chunk of opening.log.chunks()) parser.push(chunk);
  parser.end();
  return collector.points();
}

/** Whether files of a format repeat what earlier ones of the same run hold. */
export function isCumulative(format: LogFormat): boolean {
  return format.id === CUMULATIVE_FORMAT;
}
