import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineSplitter, MAX_LINE_CHARS } from "./line-splitter.ts";
import { stripAnsi } from "./ansi.ts";
import { parseNumber, parseStep } from "./number-token.ts";

interface Piece {
  readonly text: string;
  readonly number: number;
  readonly terminated: boolean;
}

function split(chunks: readonly Uint8Array[]): (Piece | number)[] {
  const out: (Piece | number)[] = [];
  const splitter = lineSplitter({
    line: (text, number, terminated) => out.push({ text, number, terminated }),
    tooLong: (number) => out.push(number),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return out;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");
const texts = (pieces: (Piece | number)[]): unknown[] =>
  pieces.map((piece) => (typeof piece === "number" ? piece : [piece.number, piece.text]));

/** Text with the characters that matter to a splitter, and raw bytes that are no UTF-8. */
const logBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r", "\r\n", "\0", "step 1 loss 2\n", "é", "火", "🚀", "\uFEFF", "\u001b[1m").map(bytes),
      fc.uint8Array({ maxLength: 8 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.concat(parts));

describe("line splitter", () => {
  it("gives the same lines whatever the chunking, also inside characters and on bytes that are no UTF-8", () => {
    fc.assert(
      fc.property(logBytes, fc.array(fc.nat(600), { maxLength: 20 }), (whole, cuts) => {
        const points = [0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].toSorted((a, b) => a - b);
        const chunks = points.slice(1).map((end, index) => whole.subarray(points[index], end));
        const single = [...whole].map((byte) => Uint8Array.of(byte));
        const expected = split([whole]);
        expect(split(chunks)).toEqual(expected);
        expect(split(single)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it("counts physical lines and ends pieces at CR, CR LF and LF", () => {
    expect(texts(split([bytes("a\r\nb\n\nc 1%\rc 2%\rc 3%\nlast")]))).toEqual([
      [1, "a"],
      [2, "b"],
      [4, "c 1%"],
      [4, "c 2%"],
      [4, "c 3%"],
      [5, "last"],
    ]);
  });

  it("marks only a last line without a line break as unterminated", () => {
    expect(split([bytes("a\nb")]).map((piece) => typeof piece !== "number" && piece.terminated)).toEqual([true, false]);
    expect(split([bytes("a\r")])).toEqual([{ text: "a", number: 1, terminated: true }]);
    expect(split([bytes("")])).toEqual([]);
  });

  it("drops a byte order mark and NUL blocks", () => {
    expect(texts(split([bytes("\uFEFFone\n\0\0\0two\n")]))).toEqual([
      [1, "one"],
      [2, "two"],
    ]);
  });

  it("reports a line of 10 MB once and reads on", () => {
    const huge = Buffer.alloc(10_000_000, "x");
    const whole = Buffer.concat([bytes("a\n"), huge, bytes("\nb\n")]);
    const thousands = Array.from({ length: Math.ceil(whole.length / 1000) }, (_, index) =>
      whole.subarray(index * 1000, index * 1000 + 1000),
    );
    for (const chunks of [[whole], thousands]) expect(texts(split(chunks))).toEqual([[1, "a"], 2, [3, "b"]]);
  });

  it("reads a line of exactly the limit and refuses one character more, in any chunking", () => {
    for (const extra of [0, 1]) {
      const whole = Buffer.alloc(MAX_LINE_CHARS + extra, "x");
      const expected = extra === 0 ? 1 : 0;
      for (const chunks of [[whole], [whole.subarray(0, 10), whole.subarray(10)]]) {
        for (const end of ["", "\n"])
          expect(split([...chunks, bytes(end)]).filter((piece) => typeof piece !== "number")).toHaveLength(expected);
      }
    }
  });

  it("reads a progress bar that never ends its line piece by piece", () => {
    const bar = bytes(`${"x".repeat(100)}\r`.repeat(50_000));
    expect(split([bar])).toHaveLength(50_000);
  });
});

describe("colours", () => {
  it.each([
    ["\u001b[2m\u001b[36m(main_task pid=7)\u001b[0m step:0", "(main_task pid=7) step:0"],
    ["\u001b[31mstep: 10  \u001b[32mloss: 7.1\u001b[39m", "step: 10  loss: 7.1"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b[?25lhidden\u001b[K", "hidden"],
    ["plain [1m", "plain [1m"],
  ])("strips %j", (input, output) => {
    expect(stripAnsi(input)).toBe(output);
  });
});

describe("B7: number tokens of text logs", () => {
  it.each([
    ["1.100492E+01", 11.00492],
    ["  nan", Number.NaN],
    ["NaN", Number.NaN],
    ["-nan", Number.NaN],
    ["nan(ind)", Number.NaN],
    ["inf", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["1e999", Number.POSITIVE_INFINITY],
    ["-1e999", Number.NEGATIVE_INFINITY],
    ["5,432", 5432],
    ["1,234,567.5", 1234567.5],
    [".5", 0.5],
    ["7.", 7],
    ["-0.0", -0],
  ])("reads %j as %d", (token, value) => {
    expect(parseNumber(token)).toBe(value);
  });

  it.each(["", " ", "null", "None", "N/A", "0x10", "1_000", "1,2", "1e", "--1", "1.2.3", "nano", "info", "12ms"])(
    "%j is no number",
    (token) => {
      expect(parseNumber(token)).toBeUndefined();
    },
  );

  it("keeps a far step, refuses a negative, fractional or inexact one and says why", () => {
    expect(parseStep("1000000000")).toEqual({ step: 1_000_000_000 });
    expect(parseStep(" 1,000 ")).toEqual({ step: 1000 });
    expect(parseStep("-5")).toEqual({ fault: "step -5 is negative" });
    expect(parseStep("1000000000000000000000000000000")).toEqual({
      fault: "step 1000000000000000000000000000000 is too large to be exact",
    });
    expect(parseStep("1e30")).toEqual({ fault: '"1e30" is not a whole number' });
    expect(parseStep("1.5")).toEqual({ fault: '"1.5" is not a whole number' });
  });
});
