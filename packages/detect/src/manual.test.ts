import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLOCK_DETECTORS, DETECTORS, FLEET_DETECTORS, RANK_DETECTORS } from "./index.ts";
import type { DetectorParameter } from "./index.ts";

const MANUAL = readFileSync(join(import.meta.dirname, "../../../docs/detectors.md"), "utf8");

/** What entries of all families have in common. */
interface Entry {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly finds: string;
  readonly source: string;
  readonly parameters: readonly DetectorParameter[];
}

/** Each entry with the names of what it reads: metrics, or fields of the catalogue. */
const ENTRIES: readonly (readonly [id: string, entry: Entry, reads: readonly string[]])[] = [
  ...DETECTORS.map((entry) => [entry.id, entry, entry.metrics] as const),
  ...CLOCK_DETECTORS.map((entry) => [entry.id, entry, []] as const),
  ...FLEET_DETECTORS.map((entry) => [entry.id, entry, entry.fields] as const),
  ...RANK_DETECTORS.map((entry) => [entry.id, entry, entry.metrics] as const),
];
const KNOWN: readonly string[] = [...DETECTORS, ...CLOCK_DETECTORS, ...RANK_DETECTORS, ...FLEET_DETECTORS].map(({ id }) => id);

/** The section of a detector: from its heading to the next. */
function sectionOf(entry: Entry): string {
  const [, after = ""] = MANUAL.split(`\n## ${entry.title} (\`${entry.id}\`, version ${entry.version})\n`);
  return after.split(/\n##? /)[0] ?? "";
}

describe("docs/detectors.md", () => {
  it.each(ENTRIES)("has %s as the registry has it", (_id, entry, reads) => {
    const section = sectionOf(entry);
    expect(section).toContain(entry.finds);
    expect(section).toContain(entry.source);
    for (const name of reads) expect(section).toContain(`\`${name}\``);
    const rows = section.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(
      entry.parameters.map(
        ({ name, value, unit, meaning }) => `| \`${name}\` | ${Number(value.toPrecision(3))} | ${unit === "" ? "-" : unit} | ${meaning} |`,
      ),
    );
  });

  it("tells of no detector that does not exist, and of none twice", () => {
    const told = [...MANUAL.matchAll(/^## .*\(`([a-z-]+)`, version \d+\)$/gm)].flatMap((match) => match[1] ?? []);
    expect(told.filter((id) => !KNOWN.includes(id))).toEqual([]);
    expect(new Set(told).size).toBe(told.length);
  });

  it("has an id for each detector that no other has", () => {
    expect(KNOWN.filter((id, at) => KNOWN.indexOf(id) !== at)).toEqual([]);
  });
});
