import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLOCK_DETECTORS, DETECTOR_QUALITY, DETECTORS, FLEET_DETECTORS, QUALITY_COMMAND, RANK_DETECTORS } from "@trainwatch/detect";
import { describe, expect, it } from "vitest";
import { detectorQuality } from "../bench/detect/detector-quality.ts";
import { FLEET_FAULT_DETECTORS } from "../bench/detect/fleet-injection.ts";
import { qualityFigures } from "../bench/detect/quality-document.ts";
import { readTables, type QualityTable } from "../bench/detect/quality-tables.ts";
import { DETECTOR_OF_SCENARIO } from "../bench/detect/scenario-detectors.ts";
import { SCENARIOS } from "../bench/detect/scenarios.ts";

const DOCUMENT = readFileSync(join(import.meta.dirname, "../../docs/detection-quality.md"), "utf8");
const TABLES = readTables(DOCUMENT);
const ENTRIES: readonly { readonly id: string; readonly version: number }[] = [
  ...DETECTORS,
  ...RANK_DETECTORS,
  ...FLEET_DETECTORS,
  ...CLOCK_DETECTORS,
];

function rowsUnder(heading: string) {
  return TABLES.get(heading)?.rows ?? [];
}

describe("docs/detection-quality.md", () => {
  it("has figures for every detector of the registries, of the version that it has now, and for no other", () => {
    const listed = rowsUnder("Detectors");
    expect(listed.map(({ detector, version }) => `${detector} ${version}`)).toEqual(ENTRIES.map(({ id, version }) => `${id} ${version}`));
    for (const row of listed)
      expect(Object.keys(row)).toEqual(["detector", "version", "family", "spoke in", "median delay, s", "false alarms"]);
  });

  it("tells false alarms and delay, devices and causes, with the goals of the issue and the command that gives them", () => {
    expect(DOCUMENT).toContain("npm run bench -- detect --write");
    const measured = new Set(rowsUnder("Goals").flatMap((goal) => String(goal["done when"]).split(", ")));
    expect(["1", "2", "3", "4", "5", "8"].filter((number) => !measured.has(number))).toEqual([]);
    const headings = ["Fault-free clusters", "Fault-free fleets", "Injected faults, end to end", "Causes", "Devices", "Faulty nodes"];
    expect(headings.filter((heading) => rowsUnder(heading).length === 0)).toEqual([]);
  });
});

describe("the catalogue's figures (packages/detect/src/quality.json)", () => {
  it("are those of the document, and name every detector of the registries and no other", () => {
    expect({ command: QUALITY_COMMAND, detectors: DETECTOR_QUALITY }).toEqual(JSON.parse(qualityFigures(DOCUMENT)));
    expect(Object.keys(DETECTOR_QUALITY)).toEqual(ENTRIES.map(({ id }) => id));
  });

  it("count recall at faults that the bench injects, for detectors that there are", () => {
    const ids = new Set(ENTRIES.map(({ id }) => id));
    const injected = new Set(SCENARIOS.map(({ name }) => name));
    expect(Object.keys(DETECTOR_OF_SCENARIO).filter((name) => !injected.has(name))).toEqual([]);
    expect([...Object.values(DETECTOR_OF_SCENARIO), ...FLEET_FAULT_DETECTORS.values()].filter((id) => !ids.has(id))).toEqual([]);
  });

  it("are null where the document is silent, and where it does not tell whose an alarm or a find was", () => {
    const clusters = (said: string) => ({
      text: "",
      rows: [{ steps: 1_000, alarms: 2, "said by": said }],
    });
    const scenario = (first: string) => ({
      text: "",
      rows: [{ injected: "hang", runs: 4, found: 4, "first said by": first, "p90, s": 9 }],
    });
    const of = (said: string, first: string) =>
      detectorQuality(
        new Map<string, QualityTable>([
          ["Fault-free clusters", clusters(said)],
          ["Injected faults, end to end", scenario(first)],
        ]),
      )["hang"];
    expect(detectorQuality(new Map())["hang"]).toEqual({ falseAlarms: null, delay: null, recall: null });
    expect(of("hang", "hang")).toMatchObject({ falseAlarms: { alarms: 2, per: 1_000 }, recall: { found: 4, of: 4 } });
    expect(of("jitter", "hang 3, xid 1")).toMatchObject({ falseAlarms: { alarms: 0, per: 1_000 }, recall: null });
    expect(of("hang, jitter", "xid")).toEqual({ falseAlarms: null, delay: null, recall: null });
  });
});
