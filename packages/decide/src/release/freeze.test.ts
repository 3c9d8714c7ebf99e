import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { frozenDifferences, frozenDocument } from "./freeze.ts";
import { compareRelease } from "./compare-release.ts";
import { columnInput, measureOf, passTable, releaseInput, samplesOf } from "./release.fixture.ts";
import { releaseDetail } from "./release-detail.fixture.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const frozen = (detail = releaseDetail()) => frozenDocument({ ...detail, chosenScorecardId: 2, frozenAtMs: 1_000 });

/** The same content with the fields of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, shuffled(item)]),
  );
}

/** Paths to every number, text and truth value of a document. */
function leaves(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, item]) => leaves(item, [...path, name]));
}

function withLeaf(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    if (typeof value === "number") return value + (Math.abs(value) < 1 ? 1e-15 : Math.abs(value) * 2e-16);
    if (typeof value === "boolean") return !value;
    return value === null ? 0 : `${String(value)} `;
  }
  if (Array.isArray(value)) return value.map((item: unknown, place) => (String(place) === name ? withLeaf(item, rest) : item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === name ? withLeaf(item, rest) : item]));
}

describe("the text that is signed", () => {
  it("is the same whatever the order of the fields, and after a trip through JSON", () => {
    const text = frozen();
    expect(canonicalJson(shuffled(JSON.parse(text)))).toBe(text);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it("changes its hash with every single figure and word that it holds", () => {
    const text = frozen();
    const document: unknown = JSON.parse(text);
    const paths = leaves(document);
    expect(paths.length).toBeGreaterThan(200);
    const hashes = new Set(paths.map((path) => hashOf(canonicalJson(withLeaf(document, path)))));
    expect(hashes.has(hashOf(text))).toBe(false);
    expect(hashes.size).toBe(paths.length);
  });

  it("holds comparison, gates, overrides, spec, and who is signed for", () => {
    const detail = releaseDetail();
    const { comparison, gateViews, overrides, spec } = detail;
    const document = JSON.parse(frozen(detail));
    expect(document).toMatchObject({
      form: "trainwatch-release",
      version: 1,
      chosenScorecardId: 2,
      frozenAtMs: 1_000,
      spec,
      gateViews,
      overrides,
    });
    expect(document.comparison).toEqual(JSON.parse(canonicalJson(comparison)));
  });
});

describe("canonical JSON", () => {
  it("is JSON of the same content", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("names what JSON has no number for, and knows no −0", () => {
    expect(canonicalJson({ b: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0], a: undefined })).toBe(
      '{"b":["NaN","Infinity","-Infinity",0]}',
    );
    expect(() => canonicalJson(1n)).toThrow(TypeError);
    expect(() => canonicalJson(new Map([["a", 1]]))).toThrow(TypeError);
  });
});

describe("what has changed since", () => {
  const compared = (scores: readonly number[], more: readonly number[] = []) => {
    const { first } = passTable(60, 10, 10, 20);
    const measure = (values: readonly number[], task = "t") => measureOf(task, "acc", null, { samples: samplesOf(values) });
    const extra = more.length === 0 ? [] : [measure(more, "u")];
    return compareRelease(releaseInput([columnInput(1, [measure(first)]), columnInput(2, [measure(scores), ...extra])]));
  };
  const { second } = passTable(60, 10, 10, 20);
  const detail = releaseDetail({ comparison: compared(second) });
  const text = frozenDocument({ ...detail, chosenScorecardId: 2, frozenAtMs: 1_000 });

  it("is nothing where nothing has", () => {
    expect(frozenDifferences(text, detail.comparison)).toEqual([]);
    expect(frozenDifferences(text, compared(second))).toEqual([]);
  });

  it("is another value or verdict, a new row, a row that is gone", () => {
    const worse = second.map((score, place) => (place < 40 ? 0 : score));
    expect(frozenDifferences(text, compared(worse))).toMatchObject([
      { key: "t|acc|", letter: "A", before: { value: 0.7, verdict: "tie" }, now: { verdict: "worse" } },
    ]);
    expect(frozenDifferences(text, compared(second, second))).toMatchObject([{ key: "u|acc|", before: null, now: { value: 0.7 } }]);
    const wider = frozenDocument({ ...detail, comparison: compared(second, second), chosenScorecardId: 2, frozenAtMs: 1_000 });
    expect(frozenDifferences(wider, compared(second))).toMatchObject([{ key: "u|acc|", before: { value: 0.7 }, now: null }]);
  });

  it("is also the same value of other samples: what was lost then is not what is lost now", () => {
    // As many passed, but thirty others.
    const others = [...second.slice(30), ...second.slice(0, 30)];
    expect(others.filter((score) => score === 1)).toHaveLength(70);
    expect(frozenDifferences(text, compared(others)).map(({ key, letter }) => [key, letter])).toEqual([["t|acc|", "A"]]);
  });

  it("refuses a text that is no frozen release", () => {
    for (const other of ["{}", "[]", '{"comparison":{"columns":[],"rows":[{"cells":[{}]}]}}'])
      expect(() => frozenDifferences(other, detail.comparison)).toThrow(TypeError);
  });
});
