import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLOCK_DETECTORS, DETECTORS, FLEET_DETECTORS, RANK_DETECTORS } from "@trainwatch/detect";
import { describe, expect, it } from "vitest";

const DOCUMENT = readFileSync(join(import.meta.dirname, "../../docs/detection-quality.md"), "utf8");

/** Rows of the table under a heading, each by the names of its columns. */
function tableUnder(heading: string): readonly Readonly<Record<string, string>>[] {
  const section = DOCUMENT.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const [header = [], , ...rows] = section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));
  return rows.map((row) => Object.fromEntries(header.map((name, place) => [name, row[place] ?? ""])));
}

describe("docs/detection-quality.md", () => {
  it("has figures for every detector of the registries, of the version that it has now, and for no other", () => {
    const entries: readonly { readonly id: string; readonly version: number }[] = [
      ...DETECTORS,
      ...RANK_DETECTORS,
      ...FLEET_DETECTORS,
      ...CLOCK_DETECTORS,
    ];
    const listed = tableUnder("Detectors");
    expect(listed.map(({ detector, version }) => `${detector} ${version}`)).toEqual(entries.map(({ id, version }) => `${id} ${version}`));
    for (const row of listed)
      expect(Object.keys(row)).toEqual(["detector", "version", "family", "spoke in", "median delay, s", "false alarms"]);
  });

  it("tells false alarms and delay, devices and causes, with the goals of the issue and the command that gives them", () => {
    expect(DOCUMENT).toContain("npm run bench -- detect --write");
    const measured = new Set(tableUnder("Goals").flatMap((goal) => goal["done when"]?.split(", ") ?? []));
    expect(["1", "2", "3", "4", "5", "8"].filter((number) => !measured.has(number))).toEqual([]);
    const headings = ["Fault-free clusters", "Fault-free fleets", "Injected faults, end to end", "Causes", "Devices", "Faulty nodes"];
    expect(headings.filter((heading) => tableUnder(heading).length === 0)).toEqual([]);
  });
});
