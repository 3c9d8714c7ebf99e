import type { ByteSink, ByteSource } from "./block-bytes.ts";

/**
 * Doubles that are no short decimals. What all of them share at either end of their 64 bits (sign and exponent; the zeros of what was a
 * float32 once) is written once, and the bits between of each.
 */
const CHUNK_BITS = 16;

/** Writes the first `count` (at least 1) of `values`. */
export function writeDoubles(sink: ByteSink, values: Float64Array, count: number): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * count);
  const low = words[0] ?? 0;
  const high = words[1] ?? 0;
  let lowBits = 0;
  let highBits = 0;
  for (let index = 1; index < count; index++) {
    lowBits |= (words[2 * index] ?? 0) ^ low;
    highBits |= (words[2 * index + 1] ?? 0) ^ high;
  }
  const lead = highBits === 0 ? 32 + Math.clz32(lowBits) : Math.clz32(highBits);
  const trail = lead === 64 ? 0 : lowBits === 0 ? 32 + trailingZeros(highBits) : trailingZeros(lowBits);
  const width = 64 - lead - trail;
  sink.float64(values[0] ?? 0);
  sink.byte(width);
  sink.byte(trail);
  const chunks = new Float64Array(count);
  for (let done = 0; done < width; done += CHUNK_BITS) {
    const bits = Math.min(CHUNK_BITS, width - done);
    for (let index = 0; index < count; index++) {
      chunks[index] = bitsAt((words[2 * index] ?? 0) ^ low, (words[2 * index + 1] ?? 0) ^ high, trail + done) & ((1 << bits) - 1);
    }
    sink.bits(chunks, 0, count, 0, bits);
  }
}

/** Reads `count` doubles into `into`. */
export function readDoubles(source: ByteSource, into: Float64Array, count: number): void {
  const words = new Uint32Array(into.buffer, into.byteOffset, 2 * count);
  into[0] = source.float64();
  const low = words[0] ?? 0;
  const high = words[1] ?? 0;
  const width = source.byte();
  const trail = source.byte();
  for (let index = 0; index < count; index++) {
    words[2 * index] = low;
    words[2 * index + 1] = high;
  }
  const chunks = new Float64Array(count);
  for (let done = 0; done < width; done += CHUNK_BITS) {
    source.bits(chunks, 0, count, 0, Math.min(CHUNK_BITS, width - done));
    const at = trail + done;
    for (let index = 0; index < count; index++) {
      const chunk = chunks[index] ?? 0;
      if (at < 32) words[2 * index] = (words[2 * index] ?? 0) ^ (chunk << at);
      if (at + CHUNK_BITS > 32) words[2 * index + 1] = (words[2 * index + 1] ?? 0) ^ (at < 32 ? chunk >>> (32 - at) : chunk << (at - 32));
    }
  }
}

/** Bits of the 64 from `at` on, at least the lowest 16 of them right. */
function bitsAt(low: number, high: number, at: number): number {
  if (at >= 32) return high >>> (at - 32);
  return at === 0 ? low : (low >>> at) | (high << (32 - at));
}

function trailingZeros(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
