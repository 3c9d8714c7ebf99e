/** What recognition needs of a format, of logs and of evaluations alike. */
export interface Recognisable {
  readonly id: string;
  readonly title: string;
  sniff(head: Uint8Array): number;
}

export type Refusal = {
  /** "unsupported": the content is known, and nothing that is read here. */
  readonly code: "empty" | "binary" | "compressed" | "unknown" | "ambiguous" | "unsupported";
  readonly message: string;
};

export type Recognition<Format> =
  | { readonly kind: "format"; readonly format: Format; readonly confidence: number }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export interface RecogniseOptions {
  /** What the formats hold, for messages: "log", "evaluation". */
  readonly what: string;
  /** Some format here is a zip archive: its sniffer is asked before zip is refused. */
  readonly readsZip: boolean;
}

/** Below this a sniffer only saw hints. */
const MIN_CONFIDENCE = 0.5;

interface Magic {
  readonly bytes: readonly number[];
  readonly code: "binary" | "compressed" | "unsupported";
  readonly message: string;
}

const ZIP: Magic = {
  bytes: [0x50, 0x4b, 0x03, 0x04],
  code: "binary",
  message: "The content is a zip archive (or a PyTorch checkpoint); extract the log from it.",
};
const PICKLE = "The content is a Python pickle, which is never loaded; export it as JSON.";

const UTF_16 = "The content is UTF-16 text, and UTF-8 is read here; convert it first: `iconv -f UTF-16 -t UTF-8`.";

/** Beginnings that no parser here reads, with what to do about them. */
const MAGICS: readonly Magic[] = [
  { bytes: [0xff, 0xfe], code: "unsupported", message: UTF_16 },
  { bytes: [0xfe, 0xff], code: "unsupported", message: UTF_16 },
  { bytes: [0x1f, 0x8b], code: "compressed", message: "The content is gzip-compressed; decompress it first." },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], code: "compressed", message: "The content is zstd-compressed; decompress it first." },
  { bytes: [0x42, 0x5a, 0x68], code: "compressed", message: "The content is bzip2-compressed; decompress it first." },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], code: "compressed", message: "The content is xz-compressed; decompress it first." },
  { bytes: [0x50, 0x41, 0x52, 0x31], code: "binary", message: "The content is Parquet; export it as CSV or JSON lines." },
  { bytes: [0x3a, 0x57, 0x26, 0x42], code: "binary", message: "The content is a W&B run file; export the history as CSV or JSON lines." },
  { bytes: [0x80, 0x02], code: "binary", message: PICKLE },
  { bytes: [0x80, 0x03], code: "binary", message: PICKLE },
  { bytes: [0x80, 0x04], code: "binary", message: PICKLE },
  { bytes: [0x80, 0x05], code: "binary", message: PICKLE },
];

/** Asks every sniffer; the one that is surest has it. Refuses with a reason when none is sure, or two are equally sure. */
export function recognise<Format extends Recognisable>(
  head: Uint8Array,
  formats: readonly Format[],
  { what, readsZip }: RecogniseOptions,
): Recognition<Format> {
  if (head.every(isBlank)) return refused("empty", "The file is empty.");
  const magic = MAGICS.find((candidate) => begins(head, candidate)) ?? (readsZip || !begins(head, ZIP) ? undefined : ZIP);
  if (magic !== undefined) return refused(magic.code, magic.message);
  if (isBareUtf16(head)) return refused("unsupported", UTF_16);

  const [best, second] = formats
    .map((format) => ({ format, confidence: format.sniff(head) }))
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .toSorted((a, b) => b.confidence - a.confidence);
  if (best === undefined) return unrecognised(head, formats, what);
  if (second !== undefined && second.confidence === best.confidence)
    return refused("ambiguous", `The content looks like ${best.format.title} and like ${second.format.title}; name the format.`);
  return { kind: "format", ...best };
}

function unrecognised<Format extends Recognisable>(head: Uint8Array, formats: readonly Format[], what: string): Recognition<Format> {
  if (begins(head, ZIP)) return refused(ZIP.code, `The content is a zip archive (or a PyTorch checkpoint) and no known ${what} format.`);
  if (isMostlyBinary(head)) return refused("binary", `The content is binary and no known ${what} format.`);
  return refused(
    "unknown",
    `No known ${what} format is recognised in the first ${head.length} bytes. Known: ${formats.map((format) => format.id).join(", ")}.`,
  );
}

export function refused<Format>(code: Refusal["code"], message: string): Recognition<Format> {
  return { kind: "refused", refusal: { code, message } };
}

function begins(head: Uint8Array, { bytes }: Magic): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

/** Without a mark at its start: of the first letters every other byte is zero, and those between are ASCII. Blocks of zeros that a crashed file system leaves are none. */
function isBareUtf16(head: Uint8Array): boolean {
  const start = head.subarray(0, 64);
  const isText = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
  const isAt = (parity: number): boolean =>
    start.every((byte, index) => (index % 2 === parity ? byte === 0 : isText(byte) || (isBlank(byte) && byte !== 0)));
  return start.length >= 8 && (isAt(0) || isAt(1));
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;
}

/** More than one byte in twenty is a control character that text does not use (ESC is used by colours); of random bytes it is one in ten. */
function isMostlyBinary(head: Uint8Array): boolean {
  const controls = head.reduce((count, byte) => count + (byte < 0x20 && byte !== 0x1b && !isBlank(byte) ? 1 : 0), 0);
  return controls > head.length / 20;
}
