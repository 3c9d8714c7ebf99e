import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVAL_FORMATS, FORMATS, HEALTH_FORMATS, MEASUREMENT_FORMATS } from "@trainwatch/formats";
import { CLUSTER_FAULT_KINDS, LOG_WRITERS } from "@trainwatch/simulate";
import { describe, expect, it } from "vitest";

const DOCUMENT = readFileSync(join(import.meta.dirname, "../../docs/sources.md"), "utf8");

/** First column of the table under a heading. */
function listedUnder(heading: string): readonly (string | undefined)[] {
  const section = DOCUMENT.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map((match) => match[1]);
}

describe("docs/sources.md", () => {
  it("lists every format of the registry, in its order, and no other", () => {
    expect(listedUnder("Formats")).toEqual(FORMATS.map((format) => format.id));
  });

  it("lists every format of evaluation results, in its order, and no other", () => {
    expect(listedUnder("Evaluation results")).toEqual(EVAL_FORMATS.map((format) => format.id));
  });

  it("lists every health format of the registry, in its order, and no other", () => {
    expect(listedUnder("Logs and outputs of machines")).toEqual(HEALTH_FORMATS.map((format) => format.id));
  });

  it("lists every format of benchmarks and probes, in its order, and no other", () => {
    expect(listedUnder("Benchmarks and probes")).toEqual(MEASUREMENT_FORMATS.map((format) => format.id));
  });

  it("lists every fault of a simulated cluster, in its order, with its numbers and their defaults, and no other", () => {
    expect(listedUnder("A cluster, rank by rank")).toEqual(CLUSTER_FAULT_KINDS.map(({ kind }) => kind));
    for (const { kind, does, parameters } of CLUSTER_FAULT_KINDS) {
      const row = DOCUMENT.split("\n").find((line) => line.startsWith(`| \`${kind}\` |`) && line.includes(does));
      expect(row).toContain(`| ${parameters.map(({ name, value }) => `\`${name}\` ${value}`).join(", ")} |`);
    }
  });

  it("names every log that a simulated run can be written as", () => {
    for (const { id } of LOG_WRITERS) expect(DOCUMENT).toMatch(new RegExp(`simulate\`[^\n]*\`${id}\``));
  });
});
