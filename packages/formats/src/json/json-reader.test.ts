import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonConsumer, type JsonScalar, jsonReader, MAX_DEPTH, MAX_STRING } from "./json-reader.ts";
import { readRowLine } from "./json-row.ts";

type Tree = JsonScalar | Tree[] | { [key: string]: Tree };

interface Read {
  readonly documents: Tree[];
  readonly faults: string[];
  readonly whole: boolean;
}

/** Builds the documents back from the events, in pieces of the given size. */
function read(text: string, size = text.length || 1): Read {
  const documents: Tree[] = [];
  const faults: string[] = [];
  const stack: { readonly tree: Tree; key: string }[] = [];
  const put = (value: Tree): void => {
    const top = stack.at(-1);
    if (top === undefined) documents.push(value);
    else if (Array.isArray(top.tree)) top.tree.push(value);
    else if (typeof top.tree === "object" && top.tree !== null)
      Object.defineProperty(top.tree, top.key, { value, enumerable: true, configurable: true, writable: true });
  };
  const consumer: JsonConsumer = {
    open(kind) {
      const tree: Tree = kind === "array" ? [] : {};
      put(tree);
      stack.push({ tree, key: "" });
    },
    close: () => void stack.pop(),
    key(name) {
      const top = stack.at(-1);
      if (top !== undefined) top.key = name;
    },
    scalar: put,
    fault: (message, line) => void faults.push(`${line}: ${message}`),
    resumed() {},
  };
  const reader = jsonReader(consumer);
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  return { documents, whole: reader.end(), faults };
}

const one = (text: string): Tree | undefined => read(text).documents[0];

describe("jsonReader", () => {
  it("reads every JSON document as JSON.parse does, whatever the pieces", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.integer({ min: 1, max: 7 }), (text, size) => {
        expect(read(text, size)).toEqual({ documents: [JSON.parse(text)], faults: [], whole: true });
      }),
      { numRuns: 500 },
    );
  });

  it("keeps every string as it is, with escapes, control characters and words that look like numbers", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(one(JSON.stringify([value]))).toEqual([value]);
      }),
      { numRuns: 300 },
    );
    expect(one('{"note":"NaN","why":"-Infinity, 1e999"}')).toEqual({ note: "NaN", why: "-Infinity, 1e999" });
    expect(one('["a\tb\\q"]')).toEqual(["a\tb\\q"]);
  });

  it("B7: takes bare NaN, Infinity and -Infinity for numbers, and 1e999 for Infinity", () => {
    expect(one('{"loss": NaN, "a": Infinity, "b": -Infinity, "c": 1e999, "d": nan, "e": null}')).toEqual({
      loss: Number.NaN,
      a: Number.POSITIVE_INFINITY,
      b: Number.NEGATIVE_INFINITY,
      c: Number.POSITIVE_INFINITY,
      d: Number.NaN,
      e: null,
    });
  });

  it("reads numbers to the last bit and does not mind their length", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(one(`[${JSON.stringify(value)}]`)).toEqual([Number(JSON.stringify(value))]);
      }),
    );
    expect(read("[123456789012345678901234567890123456789012345678901234567890123456789]").faults).toHaveLength(1);
  });

  it("tolerates trailing commas, several documents and NUL blocks", () => {
    expect(read('{"a":[1,2,],}\n{"b":3}\0\0')).toEqual({ documents: [{ a: [1, 2] }, { b: 3 }], faults: [], whole: true });
  });

  it.each([
    ['{"a" 1}', "1: "],
    ["[1 2]", "1: "],
    ['{"a":1]', "1: "],
    ["[tru]", "1: "],
    ['["a" "b"]', "1: "],
    ["{1:2}", "1: "],
    ["[,]", "1: "],
    ["]", "1: "],
    ['{\n"a":\n\n}', "4: "],
  ])("says where %j is no JSON and stops", (text, line) => {
    const { faults } = read(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.startsWith(line)).toBe(true);
  });

  it("never overflows on deep nesting: it refuses what is deeper than the limit", () => {
    const deep = read("[".repeat(1_000_000));
    expect(deep.faults).toEqual([`1: the nesting is deeper than ${MAX_DEPTH} levels`]);
    expect(read(`${"[".repeat(MAX_DEPTH)}${"]".repeat(MAX_DEPTH)}`)).toMatchObject({ faults: [], whole: true });
  });

  it("cuts a string that is too long and reads on", () => {
    const [text, after] = one(`["${"x".repeat(MAX_STRING * 3)}", 7]`) as [string, number];
    expect(text).toHaveLength(MAX_STRING);
    expect(after).toBe(7);
  });

  it("goes on with the next object of a list after damage inside one", () => {
    const rows: string[] = [];
    let key = "";
    const reader = jsonReader(
      {
        open() {},
        close: (kind) => void (kind === "object" && rows.push("|")),
        key: (name) => void (key = name),
        scalar: (value) => void rows.push(`${key}=${String(value)}`),
        fault: (_message, line) => void rows.push(`fault ${line}`),
        resumed: (depth) => void rows.push(`resumed ${depth}`),
      },
      { resumeDepth: 1 },
    );
    reader.push('[{"a":1},\n{"a":2,"b"#},\n{"a":3}]');
    expect(reader.end()).toBe(true);
    expect(rows).toEqual(["a=1", "|", "a=2", "fault 2", "resumed 1", "a=3", "|"]);
  });

  it("never throws and never loops on any text", () => {
    const jsonish = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n1-eNaIf.tru'.split("")), maxLength: 60 });
    fc.assert(
      fc.property(jsonish, fc.integer({ min: 1, max: 5 }), (text, size) => {
        expect(read(text, size)).toEqual(read(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("readRowLine", () => {
  const name = (text: string): string => text;

  it("flattens nested objects by path and leaves arrays out", () => {
    const read = readRowLine('{"step":1,"optim":{"lr":0.1,"adam":{"eps":2}},"list":[{"x":1},2],"z":null}', 7, name);
    expect(read).toEqual({
      row: {
        line: 7,
        fields: [
          ["step", 1],
          ["optim/lr", 0.1],
          ["optim/adam/eps", 2],
          ["z", null],
        ],
      },
    });
  });

  it.each(["[1]", "3", '{"a":1} {"b":2}', '"text"', "{]"])("refuses %j", (text) => {
    expect(readRowLine(text, 1, name)).toMatchObject({ cut: false });
  });

  it("says when the line is only cut", () => {
    for (const text of ["{", '{"a"', '{"a":1', '{"a":"b']) expect(readRowLine(text, 1, name)).toMatchObject({ cut: true });
  });
});
