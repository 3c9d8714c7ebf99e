import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBlock, encodeBlock, type SectionReadings } from "./block-codec.ts";
import { HAS } from "./block-column.ts";
import { SECTION_SLOTS } from "./contract.ts";

const START = Date.UTC(2026, 10, 29);
/** What DCGM's and NVML's "not available" become as doubles (E5), and the edges of the number line. */
const ODD_VALUES = [
  Number("9223372036854775794"),
  Number("9223372036854775792"),
  2_147_483_632,
  1.844_674_407_370_955_2e19,
  -0,
  0,
  Number.NaN,
  Infinity,
  -Infinity,
  Number.MIN_VALUE,
  Number.MAX_VALUE,
  2.2e-308,
  2 ** 51,
  2 ** 51 + 1,
  -(2 ** 52),
  2 ** 53,
  0.1 + 0.2,
] as const;

/** A column of readings: undefined is no reading, null the stale marker. */
type Reading = number | null | undefined;

const small = fc.integer({ min: -40, max: 90 });
const walk = fc
  .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 6 }), fc.array(small, { minLength: 1, maxLength: 70 }))
  .map(([start, digits, steps]) => {
    let at = start;
    return steps.map((step) => {
      at += step / 10 ** digits;
      return Number(at.toFixed(digits));
    });
  });
const list = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 70 });
const column: fc.Arbitrary<readonly Reading[]> = fc.oneof(
  walk,
  list(fc.double()),
  list(fc.float()),
  list(fc.maxSafeInteger()),
  list(fc.integer({ min: 0, max: 100 })),
  list(fc.constantFrom(...ODD_VALUES)),
  list(fc.oneof({ weight: 20, arbitrary: small }, { weight: 1, arbitrary: fc.constantFrom(...ODD_VALUES) })),
  list(fc.oneof({ weight: 9, arbitrary: small }, fc.constantFrom(undefined, null))),
  fc.tuple(fc.maxSafeInteger(), fc.nat(70)).map(([value, more]) => new Array<Reading>(more + 1).fill(value)),
  // Counters in steps of 4,096 and of 2^40, one of them reset in the middle.
  list(fc.nat(1000)).map((steps) => steps.map((step, index) => (index === 30 ? 0 : index * 4096 * 20 + step * 4096))),
  list(fc.nat(2000)).map((steps) => steps.map((step) => step * 2 ** 40)),
);
const gaps = list(
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(10_000) },
    fc.integer({ min: 1, max: 200_000 }),
    fc.double({ min: 0.5, max: 3, noNaN: true }),
  ),
);

function section(steps: readonly number[], columns: readonly (readonly Reading[] | null)[]): SectionReadings {
  const times = new Float64Array(steps.length);
  let at = START;
  steps.forEach((step, index) => (times[index] = at += step));
  return {
    times,
    slots: columns.map((readings) => {
      if (readings === null) return null;
      const values = Float64Array.from(steps, (_, index) => readings[index] ?? Number.NaN);
      const has = Uint8Array.from(steps, (_, index) => {
        const reading = readings[index];
        return reading === undefined ? HAS.none : reading === null ? HAS.stale : HAS.value;
      });
      return { values, has };
    }),
  };
}

function expectBack(given: SectionReadings): void {
  const bytes = encodeBlock(given);
  const isEmpty = given.slots.every((slot) => slot === null || slot.has.every((has) => has === HAS.none));
  if (bytes === null) return expect(isEmpty || given.times.length === 0).toBe(true);
  const back = decodeBlock(bytes);
  expect(back.times).toEqual(given.times);
  given.slots.forEach((slot, index) => {
    const got = back.slot(index);
    if (slot === null || slot.has.every((has) => has === HAS.none)) return expect(got).toBeNull();
    expect(got?.has).toEqual(slot.has);
    slot.has.forEach((has, at) => {
      if (has === HAS.value && !Object.is(got?.values[at], slot.values[at]))
        expect.fail(`slot ${index} at ${at}: ${String(got?.values[at])} instead of ${String(slot.values[at])}`);
    });
  });
}

describe("fleet blocks", () => {
  it("tell the newest reading up to any time, unpacked or not", () => {
    fc.assert(
      fc.property(gaps, column, fc.nat(70), (steps, readings, most) => {
        const given = section(steps, [readings, null, null, null, null, null, null, null]);
        const bytes = encodeBlock(given);
        if (bytes === null) return;
        const [slot] = given.slots;
        const end = Math.min(most, steps.length);
        const at = slot?.has.subarray(0, end).findLastIndex((has) => has !== HAS.none) ?? -1;
        const isStale = slot?.has[at] === HAS.stale;
        const wanted =
          at < 0 ? null : { timeMs: given.times[at], value: isStale ? expect.anything() : slot?.values[at], has: slot?.has[at] };
        expect(decodeBlock(bytes).newest(0, end)).toEqual(wanted);
      }),
      { numRuns: 1_000 },
    );
  });

  it("come back bit by bit, whatever the values, gaps and times", () => {
    fc.assert(
      fc.property(
        gaps,
        fc.array(fc.option(column, { freq: 5 }), { minLength: SECTION_SLOTS, maxLength: SECTION_SLOTS }),
        (steps, columns) => expectBack(section(steps, columns)),
      ),
      { numRuns: 2_000 },
    );
  });

  it("keep every odd value beside ordinary ones, alone and at either end", () => {
    for (const odd of ODD_VALUES) {
      const readings = [odd, 1, 2, 3, odd, 4, 5, 6, 7, odd];
      expectBack(
        section(
          readings.map(() => 1),
          [readings, [odd], [undefined, odd], [null, odd], [odd, null, undefined, odd], null, null, null],
        ),
      );
    }
  });

  it("keep the stale marker apart from NaN (B8)", () => {
    const back = decodeBlock(
      encodeBlock(section([1, 1, 1], [[null, Number.NaN, 5], null, null, null, null, null, null, null])) ?? Buffer.of(),
    );
    expect([...(back.slot(0)?.has ?? [])]).toEqual([HAS.stale, HAS.value, HAS.value]);
    expect(back.slot(0)?.values[1]).toBeNaN();
  });

  it("are a few bytes where nothing changes", () => {
    const steps = new Array<number>(120).fill(10_000);
    const still = steps.map(() => 0);
    const bytes = encodeBlock(
      section(
        steps,
        Array.from({ length: SECTION_SLOTS }, () => still),
      ),
    );
    expect(bytes?.length).toBeLessThan(100);
  });

  it("take no more than 2 bytes a reading of a load that an exporter prints with three digits", () => {
    const steps = new Array<number>(120).fill(10_000);
    // A whole number of milliwatts, in a band of 60 W: 16 bits.
    const columns = Array.from({ length: SECTION_SLOTS }, (_, slot) =>
      steps.map((_step, index) => Number((600 + 30 * Math.sin(index * 12.9898 + slot * 78.233)).toFixed(3))),
    );
    expect((encodeBlock(section(steps, columns))?.length ?? Infinity) / (120 * SECTION_SLOTS)).toBeLessThan(2.1);
  });

  it("that are cut short or of another version are refused", () => {
    const bytes =
      encodeBlock(
        section(
          [1, 1, 1, 1],
          Array.from({ length: SECTION_SLOTS }, () => [1.5, 7.25, 3, 4]),
        ),
      ) ?? Buffer.of();
    expect(() => decodeBlock(bytes.subarray(0, bytes.length - 8)).slot(7)).toThrow();
    expect(() => decodeBlock(Buffer.concat([Buffer.of(9), bytes.subarray(1)]))).toThrow("version 9");
  });
});
