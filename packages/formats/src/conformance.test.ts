import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectFormat, FORMATS, formatById, type LogFormat } from "./index.ts";
import { collect } from "./fixtures/collect.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

interface Fixture {
  readonly format: string;
  readonly name: string;
  readonly bytes: Buffer;
}

const fixtures: readonly Fixture[] = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: format }) => readdirSync(join(FIXTURES, format)).map((name): Fixture => ({ format, name: `${format}/${name}`, bytes: readFileSync(join(FIXTURES, format, name)) })));

const fixturesOf = (format: LogFormat): readonly Fixture[] => fixtures.filter((fixture) => fixture.format === format.id);

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

describe("registry", () => {
  it("has unique ids, a title and a source for each format", () => {
    expect(new Set(FORMATS.map((format) => format.id)).size).toBe(FORMATS.length);
    for (const format of FORMATS) {
      expect(format.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(format.title).not.toBe("");
      expect(format.source).toMatch(/\.$/);
      expect(formatById(format.id)).toBe(format);
    }
  });

  it("has fixtures for each format and no fixture folder without a format", () => {
    expect([...new Set(fixtures.map((fixture) => fixture.format))].toSorted()).toEqual(FORMATS.map((format) => format.id).toSorted());
  });
});

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))("fixture %s", (_, fixture) => {
  it("is recognised by its own format's sniffer and by no other", () => {
    const sniffs = FORMATS.map((format) => [format.id, format.sniff(fixture.bytes)] as const);
    const recognised = sniffs.filter(([, confidence]) => confidence >= 0.5).map(([id]) => id);
    expect(recognised).toEqual([fixture.format]);
    const detection = detectFormat(fixture.bytes);
    expect(detection.kind === "format" && detection.format.id).toBe(fixture.format);
  });
});

describe.each(FORMATS.map((format) => [format.id, format as LogFormat] as const))("format %s", (_, format) => {
  it("gives records for its fixtures", () => {
    for (const { bytes, name } of fixturesOf(format)) {
      const points = collect(format, [bytes]).records.filter((record) => record.kind === "points");
      expect(points.length, name).toBeGreaterThan(0);
    }
  });

  it("gives the same output whatever the chunking", () => {
    for (const { bytes, name } of fixturesOf(format)) {
      const expected = collect(format, [bytes]);
      expect(collect(format, cut(bytes, 1)), name).toEqual(expected);
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
          const points = [0, ...cuts, bytes.length].toSorted((a, b) => a - b);
          const chunks = points.slice(1).map((end, index) => bytes.subarray(points[index], end));
          expect(collect(format, chunks)).toEqual(expected);
        }),
        { numRuns: 25 },
      );
    }
  });

  it("never throws on garbage, damage, cut files and every other format's files, and numbers each record and issue by its line", () => {
    const damage = fc.record({ fixture: fc.constantFrom(...fixtures), from: fc.nat(), length: fc.nat(40), junk: fc.uint8Array({ maxLength: 40 }), end: fc.nat() });
    fc.assert(
      fc.property(damage, ({ fixture, from, length, junk, end }) => {
        const { bytes } = fixture;
        const at = from % bytes.length;
        const damaged = Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at + length)]);
        sane(format, damaged.subarray(0, 1 + (end % damaged.length)));
      }),
      { numRuns: 150 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => sane(format, bytes)), { numRuns: 100 });
    for (const fixture of fixtures) sane(format, fixture.bytes);
    sane(format, new Uint8Array());
  });

  it("reads a line of 10 MB, and 10 MB without any line, in bounded time and without throwing", () => {
    for (const filler of ["x", "1", " ", "\0", ":", "|", "{", '"', "=", "["]) {
      const huge = Buffer.alloc(10_000_000, filler);
      const started = performance.now();
      const { records } = collect(format, [...cut(huge, 1 << 16), Buffer.from("\n")]);
      expect(records.filter((record) => record.kind === "points")).toEqual([]);
      expect(performance.now() - started, JSON.stringify(filler)).toBeLessThan(3000);
    }
  });

  it("takes time in proportion to the length of a damaged line", () => {
    for (const { bytes } of fixturesOf(format)) {
      const text = bytes.toString("utf8");
      for (const filler of [" ", "1", "a", ".", ":", "|", "=", "[", "(", ",", "a:1 ", "\t", "step:", " - "]) {
        const run = filler.repeat(Math.ceil(100_000 / filler.length));
        for (const line of text.split("\n")) {
          const middle = Math.floor(line.length / 2);
          const started = performance.now();
          collect(format, [Buffer.from(`${line.slice(0, middle)}${run}${line.slice(middle)}\n${line}${run}!\n`)]);
          expect(performance.now() - started, JSON.stringify([filler, line.slice(0, 80)])).toBeLessThan(1500);
        }
      }
    }
  });
});

/** Parses and checks what holds for any input: lines exist, numbers are numbers, steps are whole or null. */
function sane(format: LogFormat, bytes: Uint8Array): void {
  const lines = bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
  expect(format.sniff(bytes)).toBeGreaterThanOrEqual(0);
  expect(format.sniff(bytes)).toBeLessThanOrEqual(1);
  const { records, issues } = collect(format, [bytes]);
  for (const { line, code, message } of issues) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(code).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    expect(message).toMatch(/\.$/);
  }
  for (const record of records) {
    expect(record.line).toBeGreaterThanOrEqual(1);
    if (!format.title.includes("tfevents")) expect(record.line).toBeLessThanOrEqual(lines);
    if (record.kind !== "points") continue;
    if (record.step !== null) expect(Number.isSafeInteger(record.step) && record.step >= 0).toBe(true);
    if (record.timeMs !== null) expect(Number.isFinite(record.timeMs)).toBe(true);
    for (const [name, value] of record.values) {
      expect(name).not.toBe("");
      expect(typeof value).toBe("number");
    }
  }
}
