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
  ids.flatMap((id) => readdirSync(join(FIXTURES, id)).map((name): [string, Buffer, string] => [`${id}/${name}`, readFileSync(join(FIXTURES, id, name)), id]));

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
      const sure = points.filter((point, index) => JSON.stringify(point) === JSON.stringify(whole[index])).length;
      expect(points.length - sure).toBeLessThanOrEqual(points.length > 0 && (codes.includes("unfinished-line") || codes.includes("bad-row") || codes.includes("unreadable-value")) ? 2 : 0);
    }
  });
});
