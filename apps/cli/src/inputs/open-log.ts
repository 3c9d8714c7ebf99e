import type { Readable } from "node:stream";
import { HEAD_BYTES, detectFormat } from "@trainwatch/formats";
import type { LogFormat } from "@trainwatch/formats";
import type { InputFault } from "./input-fault.ts";
import { readBytes } from "./read-bytes.ts";

/** An input with its content from the first byte on. Take the chunks once, or close it. */
export interface OpenInput {
  /** 64 KiB of content or more, or all of a shorter one: what tells the format. */
  readonly head: Uint8Array;
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Gives it back unread. */
  close(): Promise<void>;
  /** After the last chunk: why there are no more, if not because the input is at its end. */
  fault(): InputFault | null;
}

/** A log whose format is known. */
export interface OpenLog extends Omit<OpenInput, "head"> {
  readonly format: LogFormat;
}

export type Opening = { readonly ok: true; readonly log: OpenLog } | { readonly ok: false; readonly fault: InputFault };

/** Reads the head of an input. */
export async function openInput(
  path: string,
  stdin: Readable,
): Promise<{ readonly ok: true; readonly input: OpenInput } | { readonly ok: false; readonly fault: InputFault }> {
  const source = readBytes(path, stdin);
  const chunks = source.chunks();
  const { held, ended } = await takeHead(chunks);
  const fault = source.fault();
  if (held.length === 0 && fault !== null) return { ok: false, fault };
  return {
    ok: true,
    input: {
      head: Buffer.concat(held),
      fault: () => source.fault(),
      close: async () => void (await chunks.return()),
      async *chunks() {
        for (const chunk of held.splice(0)) yield chunk;
        if (!ended) yield* chunks;
      },
    },
  };
}

/** Opens an input as a log and tells its format by content. @param format what the user says it is; null to find out */
export async function openLog(path: string, stdin: Readable, format: LogFormat | null): Promise<Opening> {
  const opening = await openInput(path, stdin);
  return opening.ok ? asLog(path, opening.input, format) : opening;
}

/** An opened input as a log. Where it is none, it is closed. */
export async function asLog(path: string, { head, ...input }: OpenInput, format: LogFormat | null): Promise<Opening> {
  const found = format ?? recognise(path, head);
  if (!("message" in found)) return { ok: true, log: { ...input, format: found } };
  await input.close();
  return { ok: false, fault: found };
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
