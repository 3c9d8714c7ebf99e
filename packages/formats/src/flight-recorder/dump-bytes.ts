import { decodeUtf8 } from "../text/utf8-decoder.ts";
import { readPickle } from "./pickle/read-pickle.ts";
import { type DumpOutcome, readFlightRecorderDump } from "./read-dump.ts";

/** A dump file at most: PyTorch keeps 2,000 entries unless it is told otherwise, with stacks some 20 MB. */
export const MAX_DUMP_BYTES = 512 * 1024 * 1024;
const PICKLE_PROTO = 0x80;
const EMPTY_DICT = 0x7d;
const MARK = 0x28;
const OPEN_BRACE = 0x7b;

/**
 * Whether the beginning of a file is a dump's: in JSON an object that tells of entries or process groups, else a pickle. PyTorch writes pickles of protocol 2 unless it is
 * asked for JSON; a pickle of anything else is refused when it is read.
 */
export function looksLikeDump(head: Uint8Array): boolean {
  const first = head.find((byte) => byte > 0x20);
  if (first === OPEN_BRACE) return /"(?:pg_config|pg_status|collective_seq_id)"\s*:/.test(decodeUtf8(head));
  const [opcode, protocol] = head;
  if (opcode === PICKLE_PROTO)
    return protocol !== undefined && protocol >= 2 && protocol <= 5 && /pg_config|pg_status|entries|nccl_version/.test(decodeUtf8(head));
  return (opcode === EMPTY_DICT || opcode === MARK) && /pg_config|pg_status|nccl_version/.test(decodeUtf8(head));
}

/** Reads a dump of PyTorch's NCCL flight recorder as it lies on disk, JSON or pickle. Never throws on input. */
export function readDumpBytes(bytes: Uint8Array, rank: number): DumpOutcome {
  if (bytes.length > MAX_DUMP_BYTES) return { fault: `it has ${bytes.length} bytes, more than ${MAX_DUMP_BYTES}` };
  if (bytes.find((byte) => byte > 0x20) === OPEN_BRACE) {
    const json = parseJson(bytes);
    return json === undefined ? { fault: "it is no JSON, or it is cut" } : readFlightRecorderDump(json, rank);
  }
  const pickle = readPickle(bytes);
  return "fault" in pickle ? { fault: `as a pickle it cannot be read: ${pickle.fault}` } : readFlightRecorderDump(pickle.value, rank);
}

/** Undefined where it is none. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
