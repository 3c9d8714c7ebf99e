import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { Push, RunMetadata } from "@trainwatch/core";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import type { PlannedRun } from "../inputs/plan-runs.ts";
import type { RunName } from "../inputs/run-name.ts";
import type { ReadSettings } from "../inputs/read-settings.ts";
import type { PushClient } from "./push-client.ts";
import { sendInput } from "./send-input.ts";
import type { SentInput } from "./send-input.ts";
import { verifyInput } from "./verify-input.ts";
import type { Verification } from "./verify-input.ts";

export interface ImportedRun extends RunName {
  readonly inputs: readonly SentInput[];
}

export interface ImportOutcome {
  readonly runs: readonly ImportedRun[];
  /** Inputs of which nothing was sent, or not all, with the reason. */
  readonly faults: readonly { readonly path: string; readonly fault: InputFault }[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

export interface ImportSettings extends ReadSettings {
  readonly metadata: Partial<RunMetadata>;
  readonly ended: NonNullable<Push["ended"]> | null;
  /** Called as values are answered for. */
  onProgress(path: string, values: number, of: number | null): void;
}

/** Reads every file first and sends only those that can be read, or as far as they can: whoever tries to send junk asks no server. */
export async function importInputs(
  listed: readonly ListedInput[],
  planned: readonly PlannedRun[],
  settings: ImportSettings,
  client: PushClient,
  io: CommandIo,
  stdin: Readable,
): Promise<ImportOutcome> {
  const faults = listed.flatMap(({ path, fault }) => (fault === null ? [] : [{ path, fault }]));
  const skipped: { path: string; why: string }[] = [];
  const ready: { readonly run: PlannedRun; readonly inputs: readonly ReadyInput[] }[] = [];
  for (const run of planned) {
    const inputs: ReadyInput[] = [];
    for (const input of run.inputs) {
      const checked = await checkInput(input, settings, io, stdin);
      if (checked.ok) inputs.push(checked.verified);
      else if (input.walked) skipped.push({ path: input.path, why: checked.fault.message });
      else faults.push({ path: input.path, fault: checked.fault });
    }
    ready.push({ run, inputs });
  }
  const runs: ImportedRun[] = [];
  for (const { run, inputs } of ready) {
    if (inputs.length === 0) continue;
    const sent = await sendRun(run, inputs, settings, client, io, stdin);
    runs.push(...sent.runs);
    faults.push(...sent.faults);
  }
  return { runs, faults, skipped };
}

/** An input that may be sent; how many values it holds is not known of standard input. */
interface ReadyInput {
  readonly input: ListedInput;
  readonly points: number | null;
}

type CheckedInput = { readonly ok: true; readonly verified: ReadyInput } | Extract<Verification, { readonly ok: false }>;

/** Standard input can be read once only: it is sent as it is read. */
async function checkInput(input: ListedInput, settings: ImportSettings, io: CommandIo, stdin: Readable): Promise<CheckedInput> {
  return input.path === "-" ? { ok: true, verified: { input, points: null } } : verifyInput(input, settings, io, stdin);
}

async function sendRun(
  plan: PlannedRun,
  inputs: readonly ReadyInput[],
  settings: ImportSettings,
  client: PushClient,
  io: CommandIo,
  stdin: Readable,
): Promise<Pick<ImportOutcome, "runs" | "faults">> {
  const faults: { readonly path: string; readonly fault: InputFault }[] = [];
  const runs = new Map<string, { readonly run: RunName; readonly inputs: SentInput[] }>();
  for (const { input, points } of inputs) {
    const { path } = input;
    const onProgress = (values: number): void => settings.onProgress(path, values, points);
    const { sent: parts, fault } = await sendInput({ plan, path, settings, onProgress }, client, io, stdin);
    if (fault !== null) faults.push({ path, fault });
    for (const sent of parts) {
      const held = runs.get(sent.run.name);
      if (held === undefined) runs.set(sent.run.name, { run: sent.run, inputs: [sent] });
      else held.inputs.push(sent);
    }
  }
  for (const { run } of runs.values()) await sendFacts(run, settings, client);
  return { runs: [...runs.values()].map(({ run, inputs: sent }) => ({ ...run, inputs: sent })), faults };
}

/**
 * What the user says of the run goes apart and last: it wins over the log, and the same log with other facts is still the same pushes.
 * Said again it counts again (each time a push of its own): another log may have set the run back to running meanwhile.
 */
async function sendFacts({ project, name }: RunName, { metadata, ended }: ImportSettings, client: PushClient): Promise<void> {
  if (Object.keys(metadata).length === 0 && ended === null) return;
  const body = { run: { project, name }, metadata, ...(ended === null ? {} : { ended }) };
  await client.push({ source: `facts:${randomUUID()}`, seq: 0, ...body });
}
