import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DETECTORS } from "./index.ts";
import type { DetectorEntry } from "./index.ts";

const MANUAL = readFileSync(join(import.meta.dirname, "../../../docs/detectors.md"), "utf8");

/** The section of a detector: from its heading to the next. */
function sectionOf(entry: DetectorEntry): string {
  const [, after = ""] = MANUAL.split(`\n## ${entry.title} (\`${entry.id}\`, version ${entry.version})\n`);
  return after.split("\n## ")[0] ?? "";
}

describe("docs/detectors.md", () => {
  it.each(DETECTORS.map((entry): [string, DetectorEntry] => [entry.id, entry]))("has %s as the registry has it", (_id, entry) => {
    const section = sectionOf(entry);
    expect(section).toContain(entry.finds);
    expect(section).toContain(entry.source);
    for (const metric of entry.metrics) expect(section).toContain(`\`${metric}\``);
    const rows = section.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(
      entry.parameters.map(
        ({ name, value, unit, meaning }) => `| \`${name}\` | ${Number(value.toPrecision(3))} | ${unit === "" ? "-" : unit} | ${meaning} |`,
      ),
    );
  });

  it("tells of no detector that does not exist", () => {
    const told = [...MANUAL.matchAll(/^## .*\(`([a-z-]+)`, version \d+\)$/gm)].map((match) => match[1]);
    expect(told).toEqual(DETECTORS.map((entry) => entry.id));
  });
});
