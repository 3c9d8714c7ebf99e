import { readText } from "./label-text.ts";
import { WIRE, WireFault, type WireReader } from "./wire-reader.ts";

// opentelemetry/proto/common/v1/common.proto
const KEY_VALUE = { key: 1, value: 2 } as const;
const ANY_VALUE = { string: 1, bool: 2, int: 3, double: 4, array: 5, keyValues: 6, bytes: 7 } as const;
const LIST = { values: 1 } as const;
/** A list in a list in a list is no label; what is deeper is made to exhaust the stack. */
const MOST_LEVELS = 8;

/** An attribute as a label: lists and maps become JSON, bytes become base64, whole numbers keep all their digits. */
export function readAttribute(reader: WireReader, end: number): readonly [name: string, value: string] {
  const [name, value] = readKeyValue(reader, end, 0);
  return [name, typeof value === "string" ? value : JSON.stringify(value)];
}

type Json = string | readonly Json[] | { readonly [name: string]: Json };

function readKeyValue(reader: WireReader, end: number, level: number): readonly [string, Json] {
  let name = "";
  let value: Json = "";
  while (reader.next(end)) {
    if (reader.field === KEY_VALUE.key) name = readText(reader, end);
    else if (reader.field === KEY_VALUE.value) value = readValue(reader, reader.length(end), level);
    else reader.skip(end);
  }
  return [name, value];
}

function readValue(reader: WireReader, end: number, level: number): Json {
  if (level > MOST_LEVELS) throw new WireFault(`an attribute is nested more than ${MOST_LEVELS} levels deep`);
  let value: Json = "";
  while (reader.next(end)) {
    if (reader.field === ANY_VALUE.string) value = readText(reader, end);
    else if (reader.field === ANY_VALUE.bool) value = String(reader.int64() !== 0);
    else if (reader.field === ANY_VALUE.int) value = readInt(reader);
    else if (reader.field === ANY_VALUE.double) value = String(reader.view.getFloat64(reader.eight(end), true));
    else if (reader.field === ANY_VALUE.array) value = readList(reader, reader.length(end), (inner) => readValue(reader, inner, level + 1));
    else if (reader.field === ANY_VALUE.keyValues)
      value = Object.fromEntries(readList(reader, reader.length(end), (inner) => readKeyValue(reader, inner, level + 1)));
    else if (reader.field === ANY_VALUE.bytes) value = readBytes(reader, end).toString("base64");
    else reader.skip(end);
  }
  return value;
}

function readList<Item>(reader: WireReader, end: number, read: (end: number) => Item): readonly Item[] {
  const items: Item[] = [];
  while (reader.next(end)) {
    if (reader.field === LIST.values) items.push(read(reader.length(end)));
    else reader.skip(end);
  }
  return items;
}

/** Of 64 bits: the digits of a serial number are all wanted. */
function readInt(reader: WireReader): string {
  reader.expect(WIRE.varint);
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) throw new WireFault("it is cut short");
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return String(BigInt.asIntN(64, value));
  }
  throw new WireFault("a number of 64 bits is too long");
}

function readBytes(reader: WireReader, end: number): Buffer {
  const last = reader.length(end);
  const bytes = reader.bytes.subarray(reader.at, last);
  reader.at = last;
  return bytes;
}
