import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { formatById } from "./index.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
/** Formats whose rows say where they end: a cut one never shows. */
const DELIMITED = ["hf-trainer-state", "llama-factory", "megatron-golden", "json-list", "jsonl", "tensorboard"];
/** Tables: the last row may be cut inside a number, and then says so. */
const TABLES = ["lightning-csv", "wandb-csv", "csv"];

const cases = (ids: readonly string[]): [string, Buffer, string][] =>
  ids.flatMap((id) =>
    readdirSync(join(FIXTURES, id)).map((name): [string, Buffer, string] => [`${id}/${name}`, readFileSync(join(FIXTURES, id, name)), id]),
  );

function pointsOf(id: string, bytes: Uint8Array): { readonly points: readonly unknown[]; readonly codes: readonly string[] } {
  const format = formatById(id);
  if (format === undefined) throw new Error(`no format ${id}`);
  const { records, issues } = collect(format, [bytes]);
  return { points: records.filter((record) => record.kind === "points"), codes: issues.map(({ code }) => code) };
}

describe("a file cut at any byte", () => {
  it.each(cases(DELIMITED))("%s gives the points before the cut and nothing else", (_name, bytes, id) => {
    const whole = pointsOf(id, bytes).points;
    for (let cut = 0; cut < bytes.length; cut++) {
      const { points } = pointsOf(id, bytes.subarray(0, cut));
      expect(points).toEqual(whole.slice(0, points.length));
    }
  });

  it.each(cases(TABLES))("%s gives the rows before the cut, and doubts the last one where it may be cut", (_name, bytes, id) => {
    const whole = pointsOf(id, bytes).points;
    for (let cut = 0; cut < bytes.length; cut++) {
      const { points, codes } = pointsOf(id, bytes.subarray(0, cut));
      const changed = points.filter((point, index) => JSON.stringify(point) !== JSON.stringify(whole[index]));
      const doubted = codes.some((code) => code === "unfinished-line" || code === "unreadable-value");
      // A cut row may be one point a run; whole rows before it are as they were.
      expect(points.slice(0, Math.max(0, points.length - 2))).toEqual(whole.slice(0, Math.max(0, points.length - 2)));
      if (changed.length > 0) expect(doubted).toBe(true);
    }
  });
});

describe("a file that passed through other hands", () => {
  it.each([...cases(DELIMITED.filter((id) => id !== "tensorboard")), ...cases(TABLES)])(
    "%s gives the same points with a byte order mark and CR LF",
    (_name, bytes, id) => {
      const text = bytes.toString("utf8").replaceAll("\r\n", "\n");
      const plain = pointsOf(id, Buffer.from(text));
      const dressed = Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`);
      expect(pointsOf(id, dressed)).toEqual(plain);
      expect(formatById(id)?.sniff(dressed)).toBeGreaterThan(0.5);
    },
  );

  it.each([...DELIMITED, ...TABLES])("%s gives nothing for an empty file, blanks and random bytes", (id) => {
    const random = Uint8Array.from({ length: 5000 }, (_, index) => Math.imul(index + 1, 2_654_435_761) >>> 24);
    for (const bytes of [new Uint8Array(), Buffer.from(" \n\n \r\n"), random]) expect(pointsOf(id, bytes).points).toEqual([]);
  });
});
