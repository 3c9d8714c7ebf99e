/**
 * Numbers that a source writes where it has no reading (E5), as they read once they have become doubles. A sentinel is looked for by exact
 * equality, so that a counter of bytes loses at most the one reading that happens to be the same number.
 */

const SIXTEEN = Array.from({ length: 16 }, (_, index) => index);

/**
 * DCGM's blank of a double: 2^47, and the next ones for "not found", "not supported", "not permissioned" (dcgm_structs.h, DCGM_FP64_BLANK;
 * the header keeps 16 numbers for reasons).
 */
const DCGM_FP64_BLANKS = SIXTEEN.map((reason) => 2 ** 47 + reason);

/** DCGM's blank of a 32-bit integer, 0x7ffffff0, and the 15 after it. */
const DCGM_INT32_BLANKS = SIXTEEN.map((reason) => 0x7ffffff0 + reason);

/**
 * DCGM's blank of a 64-bit integer is 0x7ffffffffffffff0 and the next ones ("9223372036854775794" is "not supported"). None of them can be
 * told apart as a double: all round to 2^63.
 */
const DCGM_INT64_BLANK = 2 ** 63;

/** NVML_VALUE_NOT_AVAILABLE is −1: 4294967295 in an unsigned 32-bit field, 2^64 (rounded) in an unsigned 64-bit one. */
const NVML_NOT_AVAILABLE = [0xffff_ffff, 2 ** 64] as const;

/**
 * Text that was read as a number: the four bytes "92.0", "96.0" and "97.0" are the beginning of the VBIOS versions of A100, H100 and B200
 * ("96.00.A5.00.01"); 808334905 is the one reported in dcgm-exporter#418.
 */
const TEXT_AS_NUMBER = [808333881, 808334905, 808335161] as const;

/** Ascending, as every list here: what is below the first is none of them. */
export const DCGM_SENTINELS: readonly number[] = [
  ...DCGM_FP64_BLANKS,
  ...DCGM_INT32_BLANKS,
  DCGM_INT64_BLANK,
  ...NVML_NOT_AVAILABLE,
  ...TEXT_AS_NUMBER,
].sort((a, b) => a - b);

/** nvidia-smi writes "[N/A]", which exporters leave out; what leaks through is NVML's own number. */
export const NVML_SENTINELS: readonly number[] = NVML_NOT_AVAILABLE;

/**
 * None for what the kernel counts. 4294967295 is where a 32-bit InfiniBand counter stops (IBTA: counters saturate): a reading, not a blank.
 */
export const NO_SENTINELS: readonly number[] = [];
