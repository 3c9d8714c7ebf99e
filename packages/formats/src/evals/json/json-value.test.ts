import { describe, expect, it } from "vitest";
import { canonicalJson, fieldOf } from "./json-fields.ts";
import { headValues, type JsonValue, readJson } from "./json-value.ts";

const value = (text: string): JsonValue | undefined => {
  const read = readJson(text);
  return "value" in read ? read.value : undefined;
};

describe("a JSON value", () => {
  it("is read strictly, and tolerantly where tools write no strict JSON", () => {
    expect(value('{"a": [1, "NaN"]}')).toEqual({ a: [1, "NaN"] });
    expect(value('{"a": NaN, "b": -Infinity, "c": "NaN", "d": [true, null]}')).toEqual({
      a: Number.NaN,
      b: Number.NEGATIVE_INFINITY,
      c: "NaN",
      d: [true, null],
    });
  });

  it("keeps a text of 200,000 characters beside a NaN whole", () => {
    expect(value(`{"a": NaN, "b": "${"x".repeat(200_000)}"}`)).toMatchObject({ b: "x".repeat(200_000) });
  });

  it.each([
    ['{"a": 1', true],
    ['{"a": "x', true],
    ["", true],
    ['{"a": 1}}', false],
    ['{"a": 1} {"b": 2}', false],
    ["{a: 1}", false],
  ])("%j is refused; cut: %j", (text, cut) => {
    expect(readJson(text)).toMatchObject({ cut });
  });

  it("has no fields but its own, whatever they are named", () => {
    for (const text of ['{"__proto__": {"a": 1}}', '{"__proto__": {"a": NaN}}']) {
      const read = value(text);
      expect(Object.keys(read ?? {})).toEqual(["__proto__"]);
      expect(fieldOf({}, "toString")).toBeUndefined();
      expect(fieldOf({}, "a")).toBeUndefined();
    }
  });

  it("of a head that is cut, what stands open is there as far as it goes", () => {
    expect(headValues('{"a": {"b": [1, {"c": 2}, 3', 1)).toEqual([{ a: { b: [1, { c: 2 }] } }]);
    expect(headValues('{"a": 1}\n{"b": 2}\n{"c"', 2)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(headValues("step 1 loss 2", 1)).toEqual([]);
  });

  it("as canonical text is the same whatever the order of its fields", () => {
    expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: Number.NaN })).toBe('{"a":NaN,"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  });

  it("nested without end becomes a text and no fault", () => {
    const deep = value(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(canonicalJson(deep ?? null)).toBe(`${"[".repeat(16)}"…"${"]".repeat(16)}`);
  });

  it("keeps ids as they are written that a number does not hold exactly, and nothing else", () => {
    const text =
      '{"id": 9007199254740993, "doc_id":-12345678901234567890, "index" : 1234567890123456, "n": 9007199254740993, "text": "\\"id\\": 9007199254740993, \\\\"}';
    expect(readJson(text)).toEqual({
      value: {
        id: "9007199254740993",
        doc_id: "-12345678901234567890",
        index: "1234567890123456",
        n: 9007199254740992,
        text: '"id": 9007199254740993, \\',
      },
    });
    expect(readJson('{"id": 9007199254740993, "loss": NaN}')).toEqual({ value: { id: "9007199254740993", loss: Number.NaN } });
  });
});
