import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuUsage, memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evalRecordSchema, type ParseIssue } from "@trainwatch/core";
import { detectFormat, FORMATS } from "../index.ts";
import { detectEvalFormat, evalFormatById } from "./detect.ts";
import type { EvalFormat } from "./format.ts";
import { collectEval } from "./fixtures/collect-eval.ts";
import { EVAL_FORMATS } from "./registry.ts";

const formats: readonly EvalFormat[] = EVAL_FORMATS;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Time that this process has worked: what others do on the machine does not count. */
function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

interface Fixture {
  readonly format: string;
  readonly name: string;
  readonly bytes: Buffer;
}

function fixturesUnder(folder: string): readonly Fixture[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: format }) =>
      readdirSync(join(folder, format)).map((name): Fixture => ({
        format,
        name: `${format}/${name}`,
        bytes: readFileSync(join(folder, format, name)),
      })),
    );
}

const fixtures = fixturesUnder(join(import.meta.dirname, "fixtures"));
const logFixtures = fixturesUnder(join(import.meta.dirname, "../fixtures"));
const fixturesOf = (format: EvalFormat): readonly Fixture[] => fixtures.filter((fixture) => fixture.format === format.id);

/** Formats that hold a line and not the file. */
const isLines = ({ name }: Fixture): boolean => name.endsWith(".jsonl");
const isTextual = ({ name }: Fixture): boolean => !name.endsWith(".eval");

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

describe("registry of evaluations", () => {
  it("has unique ids, a title and a source for each format, and none that a log format has", () => {
    const ids = [...formats, ...FORMATS].map((format) => format.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const format of formats) {
      expect(format.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(format.title).not.toBe("");
      expect(format.source).toMatch(/\.$/);
      expect(evalFormatById(format.id)).toBe(format);
    }
  });

  it("has fixtures for each format and no fixture folder without a format", () => {
    expect([...new Set(fixtures.map((fixture) => fixture.format))].toSorted()).toEqual(formats.map((format) => format.id).toSorted());
  });
});

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))("fixture %s", (_, fixture) => {
  it("is recognised by its own format's sniffer and by no other, and as no training log", () => {
    const sniffs = [...formats, ...FORMATS].map((format) => [format.id, format.sniff(fixture.bytes)] as const);
    const recognised = sniffs.filter(([, confidence]) => confidence >= 0.5).map(([id]) => id);
    expect(recognised).toEqual([fixture.format]);
    const detection = detectEvalFormat(fixture.bytes);
    expect(detection.kind === "format" && detection.format.id).toBe(fixture.format);
    expect(detectFormat(fixture.bytes).kind).toBe("refused");
  });
});

describe.each(logFixtures.map((fixture) => [fixture.name, fixture] as const))("training log %s", (_, fixture) => {
  it("is no evaluation", () => {
    expect(formats.filter((format) => format.sniff(fixture.bytes) >= 0.5).map(({ id }) => id)).toEqual([]);
    expect(detectEvalFormat(fixture.bytes).kind).toBe("refused");
  });
});

describe.each(formats.map((format) => [format.id, format] as const))("evaluation format %s", (_, format) => {
  it("gives records for each of its fixtures, every one as ingest takes it", () => {
    for (const { bytes, name } of fixturesOf(format)) {
      const { records } = collectEval(format, [bytes], { path: name });
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) expect(evalRecordSchema.safeParse(record).error?.issues).toBeUndefined();
    }
  });

  it("gives the same output whatever the chunking", () => {
    for (const { bytes, name } of fixturesOf(format)) {
      const options = { path: name };
      const expected = collectEval(format, [bytes], options);
      expect(collectEval(format, cut(bytes, 1), options)).toEqual(expected);
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
          const points = [0, ...cuts, bytes.length].toSorted((a, b) => a - b);
          const chunks = points.slice(1).map((end, index) => bytes.subarray(points[index], end));
          expect(collectEval(format, chunks, options)).toEqual(expected);
        }),
        { numRuns: 15 },
      );
    }
  });

  it("never throws on garbage, damage, cut files and every other format's files, and gives only records that ingest takes", () => {
    const all = [...fixtures, ...logFixtures];
    const damage = fc.record({
      index: fc.nat(fixtures.length - 1),
      from: fc.nat(),
      length: fc.nat(40),
      junk: fc.uint8Array({ maxLength: 40 }),
      end: fc.nat(),
    });
    fc.assert(
      fc.property(damage, ({ index, from, length, junk, end }) => {
        const { bytes, name } = fixtures[index] ?? { bytes: Buffer.alloc(1), name: "" };
        const at = from % bytes.length;
        const damaged = Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at + length)]);
        expect(faults(format, damaged.subarray(0, 1 + (end % damaged.length)), name)).toEqual([]);
      }),
      { numRuns: 150 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(faults(format, bytes, "x/samples_a.jsonl")).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect([...all.map(({ bytes }) => bytes), new Uint8Array()].flatMap((bytes) => faults(format, bytes, "x/samples_a.jsonl"))).toEqual([]);
  });

  it("survives any JSON at all in the place of any value", () => {
    const documents = fixturesOf(format).filter(({ name }) => name.endsWith(".json") || name.endsWith(".jsonl"));
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 3 }), (which, where, value) => {
        const { bytes, name } = documents[which % Math.max(documents.length, 1)] ?? { bytes: Buffer.alloc(0), name: "" };
        const text = bytes.toString("utf8");
        const places = [...text.matchAll(/(?<=[:[,]\s*)(?:"[^"\\]*"(?!\s*:)|-?\d[\d.e+-]*|true|false|null)/g)];
        const place = places[where % Math.max(places.length, 1)];
        if (place === undefined) return;
        const changed = text.slice(0, place.index) + JSON.stringify(value) + text.slice(place.index + place[0].length);
        expect(faults(format, Buffer.from(changed), name)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("tells when its input was cut inside a document or a line", () => {
    for (const fixture of fixturesOf(format).filter(({ name }) => /\.(?:jsonl?|eval)$/.test(name))) {
      const { bytes, name } = fixture;
      const whole = bytes.toString("utf8").trimEnd();
      const stride = Math.max(1, Math.floor(bytes.length / 150));
      for (let end = 1; end < whole.length; end += stride) {
        const part = bytes.subarray(0, end);
        const last = part.toString("utf8").split("\n").at(-1) ?? "";
        if (isLines(fixture) && (last.trim() === "" || last.endsWith("}"))) continue;
        if (collectEval(format, [part], { path: name }).issues.length === 0) expect.fail(`${name} cut at ${end} gives no issue`);
      }
    }
  });

  it.each(["x", "1", " ", "\0", ":", ",", "{", '"', "[", '{"a":'])(
    "reads 10 MB of %j without a line break in bounded time, as no record",
    (filler) => {
      const huge = Buffer.alloc(10_000_000, filler);
      const started = cpuMs();
      const { records } = collectEval(format, [...cut(huge, 1 << 16), Buffer.from("\n")], { path: "a/samples_b.jsonl" });
      expect(records).toEqual([]);
      expect(cpuMs() - started).toBeLessThan(4000);
    },
  );

  it("of a format of lines, holds no more memory after 12 MB than after the first", () => {
    const fixture = fixturesOf(format).find(isLines);
    if (fixture === undefined) return expect(fixturesOf(format).length).toBeGreaterThan(0);
    const parser = format.parser({ record: () => undefined, issue: () => undefined }, { path: fixture.name });
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

  it("takes time in proportion to the length of damage", () => {
    const slow: string[] = [];
    for (const { bytes, name } of fixturesOf(format).filter(isTextual)) {
      const text = bytes.toString("utf8");
      const middle = Math.floor(text.length / 2);
      for (const filler of [" ", "1", "a", ",", ":", '"', "[", "{", "\\", "a,b ", "\t", '",', "_step"]) {
        const run = filler.repeat(Math.ceil(100_000 / filler.length));
        const started = cpuMs();
        collectEval(format, [Buffer.from(text.slice(0, middle) + run + text.slice(middle))], { path: name + run.slice(0, 4000) });
        if (cpuMs() - started > 1500) slow.push(`${JSON.stringify(filler)} in ${name}`);
      }
    }
    expect(slow).toEqual([]);
  });
});

/** What is wrong with a parser's output for any input at all. */
function faults(format: EvalFormat, bytes: Uint8Array, path: string): string[] {
  // Old Macs end lines with a carriage return alone.
  const lineEnd = bytes.includes(0x0a) ? 0x0a : 0x0d;
  const lines = bytes.reduce((count, byte) => count + (byte === lineEnd ? 1 : 0), 1);
  const confidence = format.sniff(bytes);
  const { records, issues } = collectEval(format, [bytes], { path });
  return [
    ...(confidence >= 0 && confidence <= 1 ? [] : [`sniff gives ${confidence}`]),
    ...issues.filter((issue) => !isSoundIssue(issue) || issue.line > lines).map((issue) => `issue ${JSON.stringify(issue)}`),
    ...records.filter((record) => !evalRecordSchema.safeParse(record).success).map((record) => `record ${JSON.stringify(record)}`),
  ];
}

function isSoundIssue({ line, code, message }: ParseIssue): boolean {
  return line >= 1 && /^[a-z]+(?:-[a-z0-9]+)*$/.test(code) && message.endsWith(".");
}
