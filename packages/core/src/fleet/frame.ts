import { AppError } from "../errors.ts";

// Every runtime has both, and both are pure; the types of this package know neither.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/**
 * The body of `ingest.frame`: readings of many series at a time, columnar, little-endian.
 *
 * | bytes | what |
 * |---|---|
 * | 4 | `TWF1` |
 * | 4 | length H of the header |
 * | H | header, JSON in UTF-8, filled up with spaces so that rows begin at a multiple of 8 |
 * | rest | rows: dictionary (u32), readings n (u32), time in epoch ms (f64), presence, n values (f64) |
 *
 * Presence is left out where a row has a reading for every series of its dictionary; otherwise it is a bitmap (bit i of byte i >> 3), filled
 * up to a multiple of 8 bytes. Values keep their bits: NaN is a value, the stale marker (`isStaleMarker`) says that a series has ended.
 */
const MAGIC = 0x31465754; // "TWF1"
const ROW_HEAD_BYTES = 16;

export const FRAME_LIMITS = {
  bytes: 64 * 1024 * 1024,
  dictionaries: 4_096,
  seriesADictionary: 16_384,
  headerBytes: 32 * 1024 * 1024,
} as const;

/** A reading's name and labels as its source has them. */
export type FrameSeries = readonly [metric: string, labels: Readonly<Record<string, string>>];

/** Series that are read together, such as all of one exporter. */
export interface FrameDictionary {
  /** Names this content within its source, such as its SHA-256; a sender that has sent the series once sends only this. */
  readonly digest: string;
  /** Labels of every series. */
  readonly shared?: Readonly<Record<string, string>>;
  readonly series?: readonly FrameSeries[];
}

export interface FrameHeader {
  readonly source: string;
  readonly dictionaries: readonly FrameDictionary[];
}

export interface FrameRow {
  /** Index into the header's dictionaries. */
  readonly dictionary: number;
  /** Epoch milliseconds, UTC. */
  readonly timeMs: number;
  /** Null: a reading for every series of the dictionary. */
  readonly presence: Uint8Array | null;
  /** 8 bytes a reading. */
  readonly values: Uint8Array;
}

export const FRAME_REFUSAL_CODES = ["conflict", "too-old", "too-new", "bad-time", "bad-name", "bad-labels"] as const;
export type FrameRefusalCode = (typeof FRAME_REFUSAL_CODES)[number];

export interface FrameAnswer {
  readonly accepted: number;
  /** Stored before with the same value. */
  readonly repeated: number;
  /** Listed to 1,000; `refusedTotal` counts all. `series` indexes the row's dictionary. */
  readonly refused: readonly { readonly row: number; readonly series: number; readonly code: FrameRefusalCode; readonly message: string }[];
  readonly refusedTotal: number;
  /** Digests that the server does not know: nothing was stored; send the frame again with their series. */
  readonly unknown: readonly string[];
}

/**
 * @param sizeOf number of series of a dictionary of a source; null where it came without them and is not known
 * @throws AppError `bad-request` where the bytes are no frame
 */
export function decodeFrame(bytes: Uint8Array, sizeOf: (dictionary: FrameDictionary, source: string) => number | null): FrameParts {
  if (bytes.length < 8) throw notAFrame("it is shorter than 8 bytes");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw notAFrame('it does not begin with "TWF1"');
  const headerBytes = view.getUint32(4, true);
  if (headerBytes > FRAME_LIMITS.headerBytes || 8 + headerBytes > bytes.length)
    throw notAFrame(`its header of ${headerBytes} bytes does not fit`);
  const header = parseHeader(new TextDecoder().decode(bytes.subarray(8, 8 + headerBytes)));
  const sizes = header.dictionaries.map((dictionary) => sizeOf(dictionary, header.source));
  const unknown = header.dictionaries.filter((_, index) => sizes[index] === null).map(({ digest }) => digest);
  if (unknown.length > 0) return { header, rows: [], unknown };
  const rows: FrameRow[] = [];
  let at = 8 + headerBytes;
  while (at < bytes.length) {
    if (at + ROW_HEAD_BYTES > bytes.length) throw notAFrame(`row ${rows.length} is cut short`);
    const dictionary = view.getUint32(at, true);
    const count = view.getUint32(at + 4, true);
    const size = sizes[dictionary];
    if (size === undefined || size === null) throw notAFrame(`row ${rows.length} names dictionary ${dictionary} of ${sizes.length}`);
    if (count > size) throw notAFrame(`row ${rows.length} has ${count} readings for ${size} series`);
    const timeMs = view.getFloat64(at + 8, true);
    at += ROW_HEAD_BYTES;
    const presenceBytes = count === size ? 0 : Math.ceil(size / 64) * 8;
    if (at + presenceBytes + 8 * count > bytes.length) throw notAFrame(`row ${rows.length} is cut short`);
    const presence = presenceBytes === 0 ? null : bytes.subarray(at, at + presenceBytes);
    if (presence !== null && bitsIn(presence, size) !== count)
      throw notAFrame(`presence of row ${rows.length} does not count ${count} readings`);
    at += presenceBytes;
    rows.push({ dictionary, timeMs, presence, values: bytes.subarray(at, at + 8 * count) });
    at += 8 * count;
  }
  return { header, rows, unknown: [] };
}

export interface FrameParts {
  readonly header: FrameHeader;
  /** Views of the bytes that were given, not copies. Empty where `unknown` is not. */
  readonly rows: readonly FrameRow[];
  readonly unknown: readonly string[];
}

/** Bytes of a frame; `decodeFrame` gives the parts back. */
export function encodeFrame(header: FrameHeader, rows: readonly FrameRow[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const size = rows.reduce((sum, row) => sum + ROW_HEAD_BYTES + (row.presence?.length ?? 0) + row.values.length, 8 + headerBytes);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, headerBytes, true);
  bytes.fill(0x20, 8, 8 + headerBytes);
  bytes.set(text, 8);
  let at = 8 + headerBytes;
  for (const { dictionary, timeMs, presence, values } of rows) {
    view.setUint32(at, dictionary, true);
    view.setUint32(at + 4, values.length / 8, true);
    view.setFloat64(at + 8, timeMs, true);
    at += ROW_HEAD_BYTES;
    if (presence !== null) {
      bytes.set(presence, at);
      at += presence.length;
    }
    bytes.set(values, at);
    at += values.length;
  }
  return bytes;
}

function bitsIn(presence: Uint8Array, size: number): number {
  let bits = 0;
  for (let index = 0; index < size; index++) if (((presence[index >> 3] ?? 0) & (1 << (index & 7))) !== 0) bits++;
  return bits;
}

function parseHeader(text: string): FrameHeader {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch (cause) {
    throw notAFrame("its header is not JSON", cause);
  }
  if (!isHeader(header)) throw notAFrame("its header lacks `source` or `dictionaries`, or one of them has the wrong shape");
  return header;
}

function isHeader(value: unknown): value is FrameHeader {
  if (typeof value !== "object" || value === null || !("source" in value) || !("dictionaries" in value)) return false;
  const { source, dictionaries } = value;
  return (
    typeof source === "string" &&
    source.length > 0 &&
    source.length <= 256 &&
    Array.isArray(dictionaries) &&
    dictionaries.length <= FRAME_LIMITS.dictionaries &&
    dictionaries.every(isDictionary)
  );
}

function isDictionary(value: unknown): value is FrameDictionary {
  if (typeof value !== "object" || value === null || !("digest" in value) || typeof value.digest !== "string") return false;
  if (value.digest.length === 0 || value.digest.length > 128) return false;
  if ("shared" in value && value.shared !== undefined && !isLabels(value.shared)) return false;
  if (!("series" in value) || value.series === undefined) return true;
  return Array.isArray(value.series) && value.series.length <= FRAME_LIMITS.seriesADictionary && value.series.every(isSeries);
}

function isSeries(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isLabels(value[1]);
}

function isLabels(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every((label) => typeof label === "string")
  );
}

function notAFrame(why: string, cause?: unknown): AppError {
  return new AppError("bad-request", `The body is not a frame: ${why}.`, { cause });
}
