/**
 * Columns of doubles as bytes, lossless. Each column takes the narrowest of six shapes that holds all of it, because most columns of a
 * block are a counter, a clock or float32 values that some trainer has printed. Little-endian throughout.
 *
 * Layout: version (1 byte), entries (4 bytes), then each column as its shape (1 byte) and payload.
 */
const VERSION = 1;
const HEADER_BYTES = 5;

const SHAPE = { stride: 0, offset8: 1, offset16: 2, offset32: 3, float32: 4, float64: 5, allNaN: 6 } as const;
type Shape = (typeof SHAPE)[keyof typeof SHAPE];

/** What a column looks like: first value, step between values, and least integer, as far as its shape needs them. */
interface Plan {
  readonly shape: Shape;
  readonly start: number;
  readonly stride: number;
}

const NOTHING: Plan = { shape: SHAPE.allNaN, start: 0, stride: 0 };

function payloadBytes(shape: number, count: number): number {
  switch (shape) {
    case SHAPE.stride:
      return 16;
    case SHAPE.offset8:
      return 8 + count;
    case SHAPE.offset16:
      return 8 + 2 * count;
    case SHAPE.offset32:
      return 8 + 4 * count;
    case SHAPE.float32:
      return 4 * count;
    case SHAPE.float64:
      return 8 * count;
    case SHAPE.allNaN:
      return 0;
    default:
      throw new Error(`unknown column shape ${shape}`);
  }
}

function plan(values: Float64Array): Plan {
  const start = values[0] ?? 0;
  const stride = values.length > 1 ? (values[1] ?? 0) - start : 0;
  let steady = true;
  let whole = true;
  let single = true;
  let nothing = true;
  let least = Infinity;
  let most = -Infinity;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    if (value !== start + index * stride) steady = false;
    if (value === value) nothing = false;
    if (whole) {
      if (Number.isInteger(value)) {
        if (value < least) least = value;
        if (value > most) most = value;
      } else whole = false;
    }
    if (single && Math.fround(value) !== value && value === value) single = false;
    if (!steady && !whole && !single && !nothing) break;
  }
  if (values.length === 0 || nothing) return NOTHING;
  if (steady) return { shape: SHAPE.stride, start, stride };
  if (whole && most - least < 2 ** 8) return { shape: SHAPE.offset8, start: least, stride: 0 };
  if (whole && most - least < 2 ** 16) return { shape: SHAPE.offset16, start: least, stride: 0 };
  if (single) return { shape: SHAPE.float32, start: 0, stride: 0 };
  if (whole && most - least < 2 ** 32) return { shape: SHAPE.offset32, start: least, stride: 0 };
  return { shape: SHAPE.float64, start: 0, stride: 0 };
}

/** Packs columns of one length. NaN and ±Infinity are kept; the sign of a zero and the bits of a NaN are not. */
export function encodeColumns(columns: readonly Float64Array[]): Buffer {
  const count = columns[0]?.length ?? 0;
  const plans = columns.map(plan);
  let size = HEADER_BYTES;
  for (const { shape } of plans) size += 1 + payloadBytes(shape, count);
  const buffer = Buffer.allocUnsafe(size);
  const view = new DataView(buffer.buffer, buffer.byteOffset, size);
  view.setUint8(0, VERSION);
  view.setUint32(1, count, true);
  let at = HEADER_BYTES;
  for (const [index, values] of columns.entries()) {
    const each = plans[index] ?? NOTHING;
    view.setUint8(at, each.shape);
    writePayload(view, at + 1, each, values);
    at += 1 + payloadBytes(each.shape, count);
  }
  return buffer;
}

/** Number by number: a push of a wide run makes a row of each point, and typed arrays between would cost more than all the rest. */
function writePayload(view: DataView, at: number, { shape, start, stride }: Plan, values: Float64Array): void {
  const count = values.length;
  switch (shape) {
    case SHAPE.allNaN:
      return;
    case SHAPE.stride:
      view.setFloat64(at, start, true);
      view.setFloat64(at + 8, stride, true);
      return;
    case SHAPE.float64:
      for (let index = 0; index < count; index++) view.setFloat64(at + 8 * index, values[index] ?? 0, true);
      return;
    case SHAPE.float32:
      for (let index = 0; index < count; index++) view.setFloat32(at + 4 * index, values[index] ?? 0, true);
      return;
    default:
      view.setFloat64(at, start, true);
      writeOffsets(view, at + 8, shape, start, values);
  }
}

function writeOffsets(view: DataView, at: number, shape: Shape, start: number, values: Float64Array): void {
  const count = values.length;
  if (shape === SHAPE.offset8) for (let index = 0; index < count; index++) view.setUint8(at + index, (values[index] ?? 0) - start);
  else if (shape === SHAPE.offset16)
    for (let index = 0; index < count; index++) view.setUint16(at + 2 * index, (values[index] ?? 0) - start, true);
  else for (let index = 0; index < count; index++) view.setUint32(at + 4 * index, (values[index] ?? 0) - start, true);
}

export interface PackedColumns {
  readonly count: number;
  /** How many columns there are. */
  readonly columns: number;
  /** Unpacks the column at `index` into `into` where that is given and long enough, else into a fresh array. */
  column(index: number, into?: Float64Array): Float64Array;
  /** The one value of a column that holds nothing else; undefined where it varies. Spares unpacking the many columns of zeros. */
  constant(index: number): number | undefined;
}

/**
 * @param fewest of older rows, which may end there; left out, all `columns` must be there
 * @throws Error if the bytes are not what `encodeColumns` makes: a bug, or a damaged database.
 */
export function decodeColumns(buffer: Buffer, columns: number, fewest: number = columns): PackedColumns {
  if (buffer.length < HEADER_BYTES || buffer.readUInt8(0) !== VERSION) throw new Error("packed samples of an unknown version");
  const count = buffer.readUInt32LE(1);
  const starts: number[] = [];
  let at = HEADER_BYTES;
  for (let index = 0; index < columns && !(index >= fewest && at === buffer.length); index++) {
    starts.push(at);
    at += 1 + payloadBytes(buffer.readUInt8(at), count);
  }
  if (at > buffer.length) throw new Error("packed samples are cut short");
  const startOf = (index: number): number => starts[index] ?? HEADER_BYTES;
  return {
    count,
    columns: starts.length,
    column(index, into) {
      const values = into !== undefined && into.length >= count ? into.subarray(0, count) : new Float64Array(count);
      readColumn(buffer, startOf(index), values);
      return values;
    },
    constant(index) {
      const shape = buffer.readUInt8(startOf(index));
      if (shape === SHAPE.allNaN) return Number.NaN;
      return shape === SHAPE.stride && buffer.readDoubleLE(startOf(index) + 9) === 0 ? buffer.readDoubleLE(startOf(index) + 1) : undefined;
    },
  };
}

/** Through a view of the bytes where they lie: copies that typed arrays could begin at cost more than all the rest. */
function readColumn(buffer: Buffer, start: number, values: Float64Array): void {
  const count = values.length;
  const view = new DataView(buffer.buffer, buffer.byteOffset + start + 1, buffer.length - start - 1);
  switch (buffer.readUInt8(start)) {
    case SHAPE.allNaN:
      values.fill(Number.NaN);
      return;
    case SHAPE.float64:
      for (let index = 0; index < count; index++) values[index] = view.getFloat64(8 * index, true);
      return;
    case SHAPE.float32:
      for (let index = 0; index < count; index++) values[index] = view.getFloat32(4 * index, true);
      return;
    default:
      readWhole(buffer.readUInt8(start), view, values);
  }
}

function readWhole(shape: number, view: DataView, values: Float64Array): void {
  const count = values.length;
  const base = view.getFloat64(0, true);
  if (shape === SHAPE.stride) {
    const stride = view.getFloat64(8, true);
    for (let index = 0; index < count; index++) values[index] = base + index * stride;
  } else if (shape === SHAPE.offset8) {
    for (let index = 0; index < count; index++) values[index] = base + view.getUint8(8 + index);
  } else if (shape === SHAPE.offset16) {
    for (let index = 0; index < count; index++) values[index] = base + view.getUint16(8 + 2 * index, true);
  } else {
    for (let index = 0; index < count; index++) values[index] = base + view.getUint32(8 + 4 * index, true);
  }
}
