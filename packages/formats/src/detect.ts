import type { LogFormat } from "./format.ts";
import { FORMATS } from "./registry.ts";

/** How much of a file `detectFormat` wants: 64 KiB of decompressed content, or all of a shorter file. */
export const HEAD_BYTES = 1 << 16;
/** Below this a sniffer only saw hints. */
const MIN_CONFIDENCE = 0.5;

export type Refusal = { readonly code: "empty" | "binary" | "compressed" | "unknown" | "ambiguous"; readonly message: string };

export type Detection =
  | { readonly kind: "format"; readonly format: LogFormat; readonly confidence: number }
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface Magic {
  readonly bytes: readonly number[];
  readonly code: "binary" | "compressed";
  readonly message: string;
}

/** Beginnings that no parser here reads, with what to do about them. */
const MAGICS: readonly Magic[] = [
  { bytes: [0x1f, 0x8b], code: "compressed", message: "The content is gzip-compressed; decompress it first." },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], code: "compressed", message: "The content is zstd-compressed; decompress it first." },
  { bytes: [0x42, 0x5a, 0x68], code: "compressed", message: "The content is bzip2-compressed; decompress it first." },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], code: "compressed", message: "The content is xz-compressed; decompress it first." },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    code: "binary",
    message: "The content is a zip archive (or a PyTorch checkpoint); extract the log from it.",
  },
  { bytes: [0x50, 0x41, 0x52, 0x31], code: "binary", message: "The content is Parquet; export it as CSV or JSON lines." },
  { bytes: [0x3a, 0x57, 0x26, 0x42], code: "binary", message: "The content is a W&B run file; export the history as CSV or JSON lines." },
  { bytes: [0x80, 0x02], code: "binary", message: "The content is a Python pickle, which is never loaded; export it as JSON." },
  { bytes: [0x80, 0x03], code: "binary", message: "The content is a Python pickle, which is never loaded; export it as JSON." },
  { bytes: [0x80, 0x04], code: "binary", message: "The content is a Python pickle, which is never loaded; export it as JSON." },
  { bytes: [0x80, 0x05], code: "binary", message: "The content is a Python pickle, which is never loaded; export it as JSON." },
];

/**
 * Tells the format of a log by its first {@link HEAD_BYTES} (more is welcome) and by nothing else: names lie.
 * Refuses with a reason when nothing, or more than one format, is recognised.
 */
export function detectFormat(head: Uint8Array, formats: readonly LogFormat[] = FORMATS): Detection {
  if (head.every(isBlank)) return refused("empty", "The file is empty.");
  const magic = MAGICS.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (magic !== undefined) return refused(magic.code, magic.message);

  const scored = formats
    .map((format) => ({ format, confidence: format.sniff(head) }))
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .toSorted((a, b) => b.confidence - a.confidence);
  const [best, second] = scored;
  if (best === undefined) return unrecognised(head, formats);
  if (second !== undefined && second.confidence === best.confidence) {
    return refused("ambiguous", `The content looks like ${best.format.title} and like ${second.format.title}; name the format.`);
  }
  return { kind: "format", ...best };
}

function unrecognised(head: Uint8Array, formats: readonly LogFormat[]): Detection {
  if (isMostlyBinary(head)) return refused("binary", "The content is binary and no known log format.");
  return refused(
    "unknown",
    `No known log format is recognised in the first ${head.length} bytes. Known: ${formats.map((format) => format.id).join(", ")}.`,
  );
}

function refused(code: Refusal["code"], message: string): Detection {
  return { kind: "refused", refusal: { code, message } };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;
}

/** More than one byte in twenty is a control character that text does not use (ESC is used by colours); of random bytes it is one in ten. */
function isMostlyBinary(head: Uint8Array): boolean {
  const controls = head.reduce((count, byte) => count + (byte < 0x20 && byte !== 0x1b && !isBlank(byte) ? 1 : 0), 0);
  return controls > head.length / 20;
}

/** The format of that id, as `--format` names it. */
export function formatById(id: string): LogFormat | undefined {
  return FORMATS.find((format) => format.id === id);
}
