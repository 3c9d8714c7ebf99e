import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ParseIssue } from "@trainwatch/core";
import { expositionParser, type ExpositionSample } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

/**
 * Every exposition of the corpus, read by the parser and, apart from it, counted by one regular expression a line; and both compared with
 * what is stated beside the data (SOURCES.md).
 */
const FOLDER = join(CORPUS_FOLDER, "node_health");
const hasFolder = existsSync(FOLDER);
const files = hasFolder ? readdirSync(FOLDER).filter((file) => file.endsWith(".prom")) : [];

/** `node_load1 0.21`, `DCGM_FI_DEV_GPU_TEMP{gpu="0",…} 55`: no escaped quote stands in these files. */
const PLAIN_LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^{}]*\})? (\S+)$/;

/** Control characters that Python takes for the end of a line, and the format does not. */
// oxlint-disable-next-line no-control-regex
const OTHER_BREAKS = /[\v\f\x1c-\x1e\x85\u2028\u2029]/g;

function countPlainly(text: string) {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const read = lines.flatMap((line) => {
    const found = PLAIN_LINE.exec(line);
    return found === null || Number.isNaN(goNumber(found[3] ?? "")) ? [] : [found];
  });
  // One file holds two scrapes of one exporter; within an exposition a series stands once, and the first counts.
  const first = [...new Map(read.toReversed().map((found) => [`${found[1]}${found[2] ?? ""}`, found])).values()].toReversed();
  return {
    samples: first.length,
    duplicates: read.length - first.length,
    names: new Set(first.map(([, name]) => name)).size,
    labels: first.reduce((sum, [, , block]) => sum + (block?.match(/="/g)?.length ?? 0), 0),
    sum: first.reduce((sum, [, , , value]) => sum + finite(goNumber(value ?? "")), 0),
    bad: lines.length - read.length,
    breaks: lines.reduce((sum, line) => sum + (line.match(OTHER_BREAKS)?.length ?? 0), 0),
  };
}

function goNumber(text: string): number {
  return Number(text.replace(/^\+Inf$/, "Infinity").replace(/^-Inf$/, "-Infinity"));
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** `| node_health/x.prom | … | 38 samples, … |` */
function statedCounts(): ReadonlyMap<string, number> {
  const stated = new Map<string, number>();
  for (const line of readFileSync(join(CORPUS_FOLDER, "SOURCES.md"), "utf8").split("\n")) {
    const found = /^\| node_health\/(\S+\.prom) \|.*\| (\d+) samples,/.exec(line);
    if (found !== null) stated.set(found[1] ?? "", Number(found[2]));
  }
  return stated;
}

describe("expositions of real exporters", () => {
  it.skipIf(!hasFolder)("needs the corpus: every .prom file is read, and its counts are those of an independent count", () => {
    expect(files.length).toBeGreaterThanOrEqual(11);
    const stated = statedCounts();
    for (const file of files) {
      const bytes = readFileSync(join(FOLDER, file));
      const samples: ExpositionSample[] = [];
      const issues: ParseIssue[] = [];
      const parser = expositionParser({ sample: (each) => samples.push(each), issue: (each) => issues.push(each) }, { format: "text" });
      for (let at = 0; at < bytes.length; at += 1_000) parser.push(bytes.subarray(at, at + 1_000));
      const summary = parser.end();
      const { bad, breaks, ...counted } = countPlainly(bytes.toString("utf8"));
      const ours = {
        samples: samples.length,
        duplicates: summary.duplicates,
        names: new Set(samples.map(({ name }) => name)).size,
        labels: samples.reduce((sum, { labels }) => sum + Object.keys(labels).length, 0),
        sum: samples.reduce((sum, { value }) => sum + finite(value), 0),
      };
      expect({ file, ...ours }).toEqual({ file, ...counted });
      expect({ file, bad: issues.filter(({ code }) => code === "bad-line").length }).toEqual({ file, bad });
      // The stated counts take a title or a dashed line around a scrape for a sample, and break lines where Python's splitlines does.
      expect({ file, samples: ours.samples + ours.duplicates + bad + breaks }).toEqual({ file, samples: stated.get(file) });
    }
  });
});
