import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuUsage, memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogRecord, ParseIssue } from "@trainwatch/core";
import { detectFormat, FORMATS, formatById, type LogFormat } from "./index.ts";
import { collect } from "./fixtures/collect.ts";

const formats: readonly LogFormat[] = FORMATS;
const FIXTURES = join(import.meta.dirname, "fixtures");

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Time that this process has worked: what others do on the machine does not count. */
function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** Binary formats count records, of at least one byte each, instead of lines. */
const COUNTS_RECORDS: ReadonlySet<string> = new Set(["tensorboard"]);

interface Fixture {
  readonly format: string;
  readonly name: string;
  readonly bytes: Buffer;
}

const fixtures: readonly Fixture[] = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: format }) =>
    readdirSync(join(FIXTURES, format)).map((name): Fixture => ({
      format,
      name: `${format}/${name}`,
      bytes: readFileSync(join(FIXTURES, format, name)),
    })),
  );

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

describe.each(formats.map((format) => [format.id, format] as const))("format %s", (_, format) => {
  it("gives points for each of its fixtures", () => {
    const counts = fixturesOf(format).map(
      ({ bytes }) => collect(format, [bytes]).records.filter((record) => record.kind === "points").length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it("gives the same output whatever the chunking", () => {
    for (const { bytes } of fixturesOf(format)) {
      const expected = collect(format, [bytes]);
      expect(collect(format, cut(bytes, 1))).toEqual(expected);
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
    const damage = fc.record({
      index: fc.nat(fixtures.length - 1),
      from: fc.nat(),
      length: fc.nat(40),
      junk: fc.uint8Array({ maxLength: 40 }),
      end: fc.nat(),
    });
    fc.assert(
      fc.property(damage, ({ index, from, length, junk, end }) => {
        const bytes = fixtures[index]?.bytes ?? Buffer.alloc(1);
        const at = from % bytes.length;
        const damaged = Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at + length)]);
        expect(faults(format, damaged.subarray(0, 1 + (end % damaged.length)))).toEqual([]);
      }),
      { numRuns: 150 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(faults(format, bytes)).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect([...fixtures.map(({ bytes }) => bytes), new Uint8Array()].flatMap((bytes) => faults(format, bytes))).toEqual([]);
  });

  it.each(["x", "1", " ", "\0", ":", "|", "{", '"', "=", "["])(
    "reads 10 MB of %j without a line break in bounded time, as no point",
    (filler) => {
      const huge = Buffer.alloc(10_000_000, filler);
      const started = performance.now();
      const { records } = collect(format, [...cut(huge, 1 << 16), Buffer.from("\n")]);
      expect(records.filter((record) => record.kind === "points")).toEqual([]);
      expect(cpuMs() - started).toBeLessThan(3000);
    },
  );

  it("holds no more memory after 12 MB than after the first", () => {
    const [fixture] = fixturesOf(format);
    if (fixture === undefined) throw new Error("no fixture");
    const parser = format.parser({ record: () => undefined, issue: () => undefined }, {});
    const chunk = Buffer.concat(Array.from({ length: Math.ceil((1 << 20) / fixture.bytes.length) }, () => fixture.bytes));
    const heapAfter = (megabytes: number): number => {
      for (let pushed = 0; pushed < megabytes; pushed++) parser.push(chunk);
      collectGarbage();
      return memoryUsage().heapUsed;
    };
    const first = heapAfter(1);
    expect(heapAfter(11) - first).toBeLessThan(3_000_000);
    parser.end();
  });

  it("takes time in proportion to the length of a damaged line", () => {
    const slow: string[] = [];
    for (const { bytes } of fixturesOf(format)) {
      for (const filler of [" ", "1", "a", ".", ":", "|", "=", "[", "(", ",", "a:1 ", "\t", "step:", " - "]) {
        const run = filler.repeat(Math.ceil(100_000 / filler.length));
        for (const line of bytes.toString("utf8").split("\n")) {
          const middle = Math.floor(line.length / 2);
          const started = cpuMs();
          collect(format, [Buffer.from(`${line.slice(0, middle)}${run}${line.slice(middle)}\n${line}${run}!\n`)]);
          if (cpuMs() - started > 1500) slow.push(`${JSON.stringify(filler)} in ${line.slice(0, 80)}`);
        }
      }
    }
    expect(slow).toEqual([]);
  });
});

/** What is wrong with a parser's output for any input at all: lines that do not exist, numbers that are none, steps that are not whole. */
function faults(format: LogFormat, bytes: Uint8Array): string[] {
  const lines = bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
  const confidence = format.sniff(bytes);
  const { records, issues } = collect(format, [bytes]);
  const maxLine = COUNTS_RECORDS.has(format.id) ? Math.max(bytes.length, 1) : lines;
  return [
    ...(confidence >= 0 && confidence <= 1 ? [] : [`sniff gives ${confidence}`]),
    ...issues.filter((issue) => !isSoundIssue(issue) || issue.line > maxLine).map((issue) => `issue ${JSON.stringify(issue)}`),
    ...records.filter((record) => !isSoundRecord(record) || record.line > maxLine).map((record) => `record ${JSON.stringify(record)}`),
  ];
}

function isSoundIssue({ line, code, message }: ParseIssue): boolean {
  return line >= 1 && /^[a-z]+(?:-[a-z0-9]+)*$/.test(code) && message.endsWith(".");
}

function isSoundRecord(record: LogRecord): boolean {
  if (record.line < 1) return false;
  if (record.kind !== "points") return true;
  const isSoundStep = record.step === null || (Number.isSafeInteger(record.step) && record.step >= 0);
  const isSoundTime = record.timeMs === null || Number.isFinite(record.timeMs);
  return (
    isSoundStep &&
    isSoundTime &&
    record.values.length > 0 &&
    record.values.every(([name, value]) => name !== "" && typeof value === "number")
  );
}
