import { bfloat16ToNumber, halfToNumber, readDouble, readFields, readFloat, readPackedVarint } from "./wire.ts";

/** TensorFlow's `DataType` numbers of what can be a scalar. */
const FLOAT = 1;
const DOUBLE = 2;
const INT32 = 3;
const INT64 = 9;
const BFLOAT16 = 14;
const HALF = 19;

/** Fields of `TensorProto`. */
const CONTENT = 4;
const HALF_VAL = 13;
const FLOAT_VAL = 5;
const DOUBLE_VAL = 6;
const INT_VAL = 7;
const INT64_VAL = 10;

interface Tensor {
  type: number;
  elements: number;
  content: Uint8Array;
  readonly values: number[];
}

/** The number of a tensor that holds exactly one; undefined for every other tensor (text, histograms, images). */
export function tensorScalar(message: Uint8Array): number | undefined {
  const tensor: Tensor = { type: 0, elements: 1, content: new Uint8Array(0), values: [] };
  const whole = readFields(message, ({ number, type, varint, bytes }) => {
    if (number === 1 && type === 0) tensor.type = Number(varint);
    else if (number === 2 && type === 2) tensor.elements = elementsOf(bytes);
    else if (number === CONTENT && type === 2) tensor.content = bytes;
    else addValues(tensor, number, type, varint, bytes);
  });
  if (!whole || tensor.elements !== 1) return undefined;
  return tensor.values[0] ?? fromContent(tensor.type, tensor.content);
}

/** `TensorShapeProto`: the product of its dimensions; -1 (unknown) never is one. */
function elementsOf(shape: Uint8Array): number {
  let elements = 1;
  readFields(shape, ({ number, type, bytes }) => {
    if (number !== 2 || type !== 2) return;
    let size = 0;
    readFields(bytes, (dim) => {
      if (dim.number === 1 && dim.type === 0) size = Number(dim.varint);
    });
    elements *= size;
  });
  return elements;
}

/** Typed value lists, packed or not. Only the first value matters: there is but one. */
function addValues(tensor: Tensor, number: number, type: number, varint: number | bigint, bytes: Uint8Array): void {
  const packed = type === 2;
  const first = packed ? readPackedVarint(bytes) : varint;
  let value: number | undefined;
  if (number === FLOAT_VAL) value = readFloat(bytes);
  else if (number === DOUBLE_VAL) value = readDouble(bytes);
  else if (number === INT_VAL || number === INT64_VAL) value = first === undefined ? undefined : Number(first);
  else if (number === HALF_VAL && first !== undefined)
    value = tensor.type === BFLOAT16 ? bfloat16ToNumber(Number(first)) : halfToNumber(Number(first));
  if (value !== undefined) tensor.values.push(value);
}

/** The raw little-endian bytes of the element. */
function fromContent(type: number, content: Uint8Array): number | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (type === FLOAT) return readFloat(content);
  if (type === DOUBLE) return readDouble(content);
  if (type === INT32) return content.length >= 4 ? view.getInt32(0, true) : undefined;
  if (type === INT64) return content.length >= 8 ? Number(view.getBigInt64(0, true)) : undefined;
  if (type === HALF) return content.length >= 2 ? halfToNumber(view.getUint16(0, true)) : undefined;
  if (type === BFLOAT16) return content.length >= 2 ? bfloat16ToNumber(view.getUint16(0, true)) : undefined;
  return undefined;
}
