import type { Readable } from "node:stream";
import { HEAD_BYTES, detectFormat } from "@trainwatch/formats";
import type { LogFormat } from "@trainwatch/formats";
import type { InputFault } from "./input-fault.ts";
import { readBytes } from "./read-bytes.ts";

/** A log whose format is known, with its content from the first byte on. Take the chunks once, or close it. */
export interface OpenLog {
  readonly format: LogFormat;
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Gives it back unread. */
  close(): Promise<void>;
  /** After the last chunk: why there are no more, if not because the log is at its end. */
  fault(): InputFault | null;
}

export type Opening = { readonly ok: true; readonly log: OpenLog } | { readonly ok: false; readonly fault: InputFault };

/** Reads the head of an input and tells its format by content. @param format what the user says it is; null to find out */
export async function openLog(path: string, stdin: Readable, format: LogFormat | null): Promise<Opening> {
  const source = readBytes(path, stdin);
  const chunks = source.chunks();
  const { held, ended } = await takeHead(chunks);
  const fault = source.fault();
  if (held.length === 0 && fault !== null) return { ok: false, fault };
  const found = format ?? recognise(path, Buffer.concat(held));
  if ("message" in found) {
    await chunks.return();
    return { ok: false, fault: found };
  }
  return {
    ok: true,
    log: {
      format: found,
      fault: () => source.fault(),
      close: async () => void (await chunks.return()),
      async *chunks() {
        for (const chunk of held.splice(0)) yield chunk;
        if (!ended) yield* chunks;
      },
    },
  };
}

async function takeHead(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<{ readonly held: Uint8Array[]; readonly ended: boolean }> {
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done === true) return { held, ended: true };
    held.push(value);
    size += value.length;
  }
  return { held, ended: false };
}

function recognise(path: string, head: Uint8Array): LogFormat | InputFault {
  const detection = detectFormat(head);
  if (detection.kind === "format") return detection.format;
  const { code, message } = detection.refusal;
  return { code, message: `${path}: ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
}
