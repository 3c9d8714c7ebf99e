import type { Readable } from "node:stream";
import { hash64 } from "@trainwatch/core";
import type { Push, RunMetadata } from "@trainwatch/core";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import { isCumulative } from "../inputs/plan-runs.ts";
import type { PlannedRun } from "../inputs/plan-runs.ts";
import { RepeatFilter } from "../inputs/repeat-filter.ts";
import type { RunName } from "../inputs/run-name.ts";
import type { InspectSettings } from "../inspect/inspect-inputs.ts";
import type { PushClient } from "./push-client.ts";
import { sendInput } from "./send-input.ts";
import type { SentInput } from "./send-input.ts";
import { verifyInput } from "./verify-input.ts";
import type { VerifiedInput } from "./verify-input.ts";

export interface ImportedRun extends RunName {
  readonly inputs: readonly SentInput[];
}

export interface ImportOutcome {
  readonly runs: readonly ImportedRun[];
  /** Inputs of which nothing was sent, with the reason. */
  readonly faults: readonly { readonly path: string; readonly fault: InputFault }[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

export interface ImportSettings extends InspectSettings {
  readonly metadata: Partial<RunMetadata>;
  readonly ended: NonNullable<Push["ended"]> | null;
  /** Called as values are answered for. */
  onProgress(path: string, values: number, of: number | null): void;
}

/** Reads every file to its end first and sends only those that can be read: a damaged file leaves nothing half stored. */
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
  const ready: { readonly run: PlannedRun; readonly inputs: readonly (VerifiedInput | ListedInput)[] }[] = [];
  for (const run of planned) {
    const inputs: (VerifiedInput | ListedInput)[] = [];
    for (const input of run.inputs) {
      // Standard input can be read once only: it is sent as it is read.
      if (input.path === "-") inputs.push(input);
      else {
        const checked = await verifyInput(input, settings, io, stdin);
        if (checked.ok) inputs.push(checked.verified);
        else if (input.walked) skipped.push({ path: input.path, why: checked.fault.message });
        else faults.push({ path: input.path, fault: checked.fault });
      }
    }
    ready.push({ run, inputs });
  }
  const runs: ImportedRun[] = [];
  for (const { run, inputs } of ready) if (inputs.length > 0) runs.push(await sendRun(run, inputs, settings, client, io, stdin));
  return { runs, faults, skipped };
}

async function sendRun(
  run: RunName,
  inputs: readonly (VerifiedInput | ListedInput)[],
  settings: ImportSettings,
  client: PushClient,
  io: CommandIo,
  stdin: Readable,
): Promise<ImportedRun> {
  const { project, name } = run;
  const repeats = inputs.length > 1 ? new RepeatFilter() : null;
  const sent: SentInput[] = [];
  let before = "";
  for (const input of inputs) {
    const verified = "contentHash" in input ? input : null;
    const path = "contentHash" in input ? input.input.path : input.path;
    const source = verified === null ? `stdin:${io.now()}` : `file:${verified.contentHash}${before}:${hash64(`${project}/${name}`)}`;
    const onProgress = (values: number): void => settings.onProgress(path, values, verified?.points ?? null);
    sent.push(await sendInput({ run: { project, name }, path, source, settings, repeats, onProgress }, client, io, stdin));
    // What is sent of a cumulative file depends on the ones before it, so they are part of its identity.
    if (verified !== null && repeats !== null && isCumulative(verified.format)) before = `+${hash64(`${verified.contentHash}${before}`)}`;
  }
  await sendFacts(run, settings, client);
  return { project, name, inputs: sent };
}

/** What the user says of the run goes apart and last: it wins over the log, and the same log with other facts is still the same pushes. */
async function sendFacts({ project, name }: RunName, { metadata, ended }: ImportSettings, client: PushClient): Promise<void> {
  if (Object.keys(metadata).length === 0 && ended === null) return;
  const body = { run: { project, name }, metadata, ...(ended === null ? {} : { ended }) };
  await client.push({ source: `facts:${hash64(JSON.stringify(body))}`, seq: 0, ...body });
}
