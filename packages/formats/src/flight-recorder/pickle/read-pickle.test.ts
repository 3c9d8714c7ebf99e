import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDumpBytes } from "../dump-bytes.ts";
import { writePickle } from "./pickle-writer.fixture.ts";
import { PYTHON_PICKLES } from "./python-pickles.fixture.ts";
import { readPickle } from "./read-pickle.ts";
import type { PickleValue } from "./read-pickle.ts";
import { REFUSED_OPCODES } from "./refused-opcodes.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const text = fc.string({ unit: "grapheme", maxLength: 300 }).filter((value) => !value.startsWith("\ufeff"));
const values = fc.letrec<{ value: PickleValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<PickleValue>(null, true, false, 0, -1, 255, 256, 65_535, 65_536, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(text, tie("value"), { maxKeys: 6 }),
  ),
})).value;

/** Without prototypes, as JSON gives it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("readPickle", () => {
  it.each([0, 2, 4] as const)("gives back any containers, text and numbers of protocol %i", (protocol) => {
    fc.assert(
      fc.property(values, (value) => {
        const outcome = readPickle(writePickle(value, protocol));
        expect("value" in outcome ? plain(outcome.value) : outcome.fault).toEqual(plain(value));
      }),
    );
  });

  it.each(PYTHON_PICKLES)("reads what CPython writes with protocol %i", (_, base64) => {
    const outcome = readPickle(Buffer.from(base64, "base64"));
    expect("value" in outcome ? plain(outcome.value) : outcome.fault).toMatchObject({
      version: "2.9",
      pg_status: { "0": { last_started_collective: -1 } },
      entries: [
        {
          process_group: ["0", "default_pg"],
          time_created_ns: Number(1_758_610_505_945_794_135n),
          input_sizes: [[4096, 5120]],
          is_p2p: false,
          duration_ms: 1.5,
          note: "café ☃ 😀",
          none: null,
          negative: -70_000,
          yes: true,
        },
      ],
    });
  });

  it.each([...REFUSED_OPCODES])("refuses opcode 0x%s, %s, by its name and place", (opcode, name) => {
    expect(readPickle(Uint8Array.from([0x80, 2, opcode, 0, 0, 0, 0, 0x2e]))).toEqual({
      fault: `opcode ${name} is not read here; it stands at byte 2`,
    });
  });

  it("refuses to call a function, whatever stands around the call", () => {
    expect(readPickle(bytesOf("cos\nsystem\n(S'touch /tmp/x'\ntR."))).toEqual({
      fault: "opcode GLOBAL is not read here; it stands at byte 0",
    });
    expect(readPickle(bytesOf("(S'a'\nios\nsystem\n."))).toEqual({ fault: "opcode INST is not read here; it stands at byte 6" });
  });

  it("knows no opcode beyond Python's", () => {
    const known = new Set(REFUSED_OPCODES.keys());
    const refused = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => {
      const outcome = readPickle(Uint8Array.from([opcode]));
      return "fault" in outcome && outcome.fault.startsWith("opcode");
    });
    // Python 3.11's pickletools lists 68 opcodes: 49 of them are read, 19 are refused by name.
    expect(256 - refused.length).toBe(49);
    expect(refused.filter((opcode) => known.has(opcode))).toHaveLength(19);
  });

  it.each([
    ["a number cut short", [0x80, 2, 0x4a, 1, 2], "the pickle ends too early at byte 3"],
    ["a text longer than the file", [0x58, 0xff, 0xff, 0xff, 0x7f, 0x41, 0x2e], "the pickle ends too early at byte 5"],
    ["a memo key that nothing was put to", [0x68, 7, 0x2e], "memo key 7, which nothing was put to, at byte 0"],
    ["a pop of nothing", [0x61, 0x2e], "a value is wanted where the stack is empty at byte 0"],
    ["a close without a mark", [0x74, 0x2e], "a mark is wanted where there is none at byte 0"],
    ["an end within a list", [0x28, 0x4e, 0x2e], "the pickle stops within a container at byte 2"],
    ["items for what is no list", [0x4e, 0x28, 0x65, 0x2e], "a list is wanted at byte 2"],
    ["a key that is a list", [0x7d, 0x5d, 0x4e, 0x73, 0x2e], "a key that is neither text nor number at byte 3"],
    ["a key without a value", [0x7d, 0x28, 0x4b, 1, 0x75, 0x2e], "a key without a value at byte 4"],
    ["a protocol of the future", [0x80, 9, 0x2e], "protocol 9 at byte 0"],
    ["a number of a thousand bytes", [0x8b, 0xe8, 3, 0, 0, 0x2e], "a number of 1000 bytes at byte 5"],
    ["a line without an end", [0x49, 0x31], "a line without an end at byte 1"],
    ["a word where a number is wanted", [0x49, 0x78, 0x0a, 0x2e], '"x", which is no whole number, at byte 0'],
  ])("says what is wrong with %s", (_, bytes, fault) => expect(readPickle(Uint8Array.from(bytes))).toEqual({ fault }));

  it("ends on any bytes at all, with a value or a reason", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(Object.keys(readPickle(bytes))).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends on a dump with bytes changed, or cut anywhere", () => {
    const whole = Buffer.from(PYTHON_PICKLES[2]?.[1] ?? "", "base64");
    for (let end = 0; end < whole.length; end++) expect(readPickle(whole.subarray(0, end))).toHaveProperty("fault");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        expect(Object.keys(readDumpBytes(bytes, 0))).toHaveLength(1);
      }),
      { numRuns: 1_000 },
    );
  });

  it("takes a key __proto__ for a key", () => {
    const outcome = readPickle(writePickle(JSON.parse('{"__proto__": {"version": "9"}}'), 2));
    expect("value" in outcome ? Object.keys(outcome.value ?? {}) : []).toEqual(["__proto__"]);
  });

  it("lets no list of lists of lists grow beyond its bytes, nor one within itself go on for ever", () => {
    // Each list holds the one before ten times: read as a tree, 10^40 items.
    const bomb = [0x80, 2, 0x5d, 0x71, 0];
    for (let level = 1; level <= 40; level++)
      bomb.push(0x5d, 0x28, ...Array.from({ length: 10 }, () => [0x68, level - 1]).flat(), 0x65, 0x71, level);
    const entry = [0x7d, 0x28, ...pickledText("process_group"), ...pickledText("0"), ...pickledText("collective_seq_id"), 0x4b, 1];
    const root = [
      0x7d,
      0x28,
      ...pickledText("entries"),
      0x5d,
      0x28,
      ...entry,
      ...pickledText("input_sizes"),
      0x68,
      40,
      0x75,
      0x65,
      0x75,
      0x2e,
    ];
    expect(readDumpBytes(Uint8Array.from([...bomb, ...root]), 3)).toMatchObject({ dump: { rank: 3, entries: [{ seq: 1 }] } });
    const within = [0x80, 2, 0x5d, 0x71, 40, 0x68, 40, 0x61];
    expect(readDumpBytes(Uint8Array.from([...within, ...root]), 3)).toMatchObject({ dump: { entries: [{ inputSizes: "[[[…]]]" }] } });
  });
});

function pickledText(text: string): number[] {
  return [0x55, text.length, ...bytesOf(text)];
}
