import type { Readable } from "node:stream";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import { openLog } from "../inputs/open-log.ts";
import { isPartial, readLog } from "../inputs/read-log.ts";
import type { ReadSettings } from "../inputs/read-settings.ts";

/** An input that was read once, to its end or to where it breaks off, without sending anything. */
export interface VerifiedInput {
  readonly input: ListedInput;
  /** Values it holds. */
  readonly points: number;
}

export type Verification = { readonly ok: true; readonly verified: VerifiedInput } | { readonly ok: false; readonly fault: InputFault };

/**
 * Reads an input to its end, so that one that cannot be read is refused before anything of it is stored. One that breaks off after some
 * values is good for those: import it again once it is whole, and only the rest is new.
 */
export async function verifyInput(input: ListedInput, settings: ReadSettings, io: CommandIo, stdin: Readable): Promise<Verification> {
  const opening = await openLog(input.path, stdin, settings.format);
  if (!opening.ok) return opening;
  const outcome = await readLog(input.path, opening.log, settings.parse, io, () => undefined);
  if (outcome.fault !== null && !isPartial(outcome)) return { ok: false, fault: outcome.fault };
  return { ok: true, verified: { input, points: outcome.points } };
}
