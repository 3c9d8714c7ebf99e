import type { PickleValue } from "./read-pickle.ts";

const MARK = 0x28;
const STOP = 0x2e;

/** Bytes of opcode and arguments. */
type Piece = readonly number[] | Uint8Array;

/** Writes what {@link readPickle} reads, as CPython would with protocol 0, 2 or 4: for tests. Text is put into the memo and taken from there when it comes again. */
export function writePickle(value: PickleValue, protocol: 0 | 2 | 4): Uint8Array {
  const pieces: Piece[] = protocol === 0 ? [] : [[0x80, protocol]];
  const memo = new Map<string, number>();
  const put = (key: number): Piece =>
    protocol === 0 ? ascii(`p${key}\n`) : protocol === 4 ? [0x94] : key < 256 ? [0x71, key] : [0x72, ...little(key, 4)];
  const get = (key: number): Piece => (protocol === 0 ? ascii(`g${key}\n`) : key < 256 ? [0x68, key] : [0x6a, ...little(key, 4)]);
  const writeText = (text: string): void => {
    const known = memo.get(text);
    if (known !== undefined) return void pieces.push(get(known));
    const bytes = utf8(text);
    if (protocol === 0) pieces.push(ascii(`V${escapeUnicode(text)}\n`));
    else pieces.push(protocol === 4 && bytes.length < 256 ? [0x8c, bytes.length] : [0x58, ...little(bytes.length, 4)], bytes);
    pieces.push(put(memo.size));
    memo.set(text, memo.size);
  };
  const write = (item: PickleValue): void => {
    if (item === null) return void pieces.push([0x4e]);
    if (typeof item === "boolean") return void pieces.push(protocol === 0 ? ascii(`I0${item ? 1 : 0}\n`) : [item ? 0x88 : 0x89]);
    if (typeof item === "number") return void pieces.push(numberPiece(item, protocol));
    if (typeof item === "string") return writeText(item);
    if (Array.isArray(item)) {
      pieces.push([0x5d, MARK]);
      item.forEach(write);
      return void pieces.push([0x65]);
    }
    pieces.push([0x7d, MARK]);
    for (const [key, held] of Object.entries(item)) {
      writeText(key);
      write(held);
    }
    pieces.push([0x75]);
  };
  write(value);
  return Uint8Array.from([...pieces.flatMap((piece) => [...piece]), STOP]);
}

function numberPiece(value: number, protocol: number): Piece {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return protocol === 0 ? ascii(`F${value}\n`) : [0x47, ...bigFloat(value)];
  if (protocol === 0) return ascii(`L${value}L\n`);
  if (value >= 0 && value < 256) return [0x4b, value];
  if (value >= 0 && value < 65_536) return [0x4d, ...little(value, 2)];
  if (value >= -(2 ** 31) && value < 2 ** 31) return [0x4a, ...little(value < 0 ? value + 2 ** 32 : value, 4)];
  return [0x8a, 8, ...bigLittle(BigInt.asUintN(64, BigInt(value)))];
}

function little(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

function bigLittle(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
}

function bigFloat(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, false);
  return Array.from({ length: 8 }, (_, index) => view.getUint8(index));
}

function utf8(text: string): Uint8Array {
  const escaped = encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return ascii(escaped);
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function escapeUnicode(text: string): string {
  return text.replace(/[^ -[\]-~]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
  });
}
