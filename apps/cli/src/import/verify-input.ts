import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { LogFormat } from "@trainwatch/formats";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import { openLog } from "../inputs/open-log.ts";
import type { OpenLog } from "../inputs/open-log.ts";
import { readLog } from "../inputs/read-log.ts";
import type { InspectSettings } from "../inspect/inspect-inputs.ts";

/** An input that was read to its end once, without sending anything. */
export interface VerifiedInput {
  readonly input: ListedInput;
  readonly format: LogFormat;
  readonly points: number;
  /** Of the decompressed content: who sends the same content is the same source, wherever the file lies. */
  readonly contentHash: string;
}

export type Verification = { readonly ok: true; readonly verified: VerifiedInput } | { readonly ok: false; readonly fault: InputFault };

/** Reads an input to its end, so that a damaged one is refused before anything of it is stored. */
export async function verifyInput(input: ListedInput, settings: InspectSettings, io: CommandIo, stdin: Readable): Promise<Verification> {
  const opening = await openLog(input.path, stdin, settings.format);
  if (!opening.ok) return opening;
  const hash = createHash("sha256");
  const outcome = await readLog(input.path, hashing(opening.log, hash), settings.parse, io, () => undefined);
  if (outcome.fault !== null) return { ok: false, fault: outcome.fault };
  return {
    ok: true,
    verified: { input, format: opening.log.format, points: outcome.points, contentHash: hash.digest("hex").slice(0, 32) },
  };
}

function hashing(log: OpenLog, hash: ReturnType<typeof createHash>): OpenLog {
  return {
    ...log,
    async *chunks() {
      for await (const chunk of log.chunks()) {
        hash.update(chunk);
        yield chunk;
      }
    },
  };
}
