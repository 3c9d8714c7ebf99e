import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLOCK_DETECTORS, DETECTOR_QUALITY, DETECTORS, FLEET_DETECTORS, QUALITY_COMMAND, RANK_DETECTORS } from "@trainwatch/detect";
import { describe, expect, it } from "vitest";
import { detectorQuality } from "../bench/detect/detector-quality.ts";
import { FLEET_FAULT_DETECTORS } from "../bench/detect/fleet-injection.ts";
import { mergedDocument, PART_HEADINGS, qualityFigures, type MeasuredPart } from "../bench/detect/quality-document.ts";
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
    const listed = [...rowsUnder("Detectors"), ...rowsUnder("Detectors of post-training")];
    const named = (of: readonly { readonly name: unknown; readonly version: unknown }[]) =>
      of.map(({ name, version }) => `${String(name)} ${String(version)}`).toSorted();
    expect(named(listed.map(({ detector, version }) => ({ name: detector ?? "", version: version ?? "" })))).toEqual(
      named(ENTRIES.map(({ id, version }) => ({ name: id, version }))),
    );
  });

  it("tells false alarms and delay, devices and causes, with the goals, the day and the command of every part", () => {
    const isTold = (heading: string): boolean =>
      /^\nMeasured on \d{4}-\d\d-\d\d by `npm run bench -- detect [^`]*--write`/.test(DOCUMENT.split(`\n## ${heading}\n`)[1] ?? "");
    const hasGoals = (heading: string): boolean => rowsUnder("Goals").some(({ part }) => part === heading);
    expect(Object.values(PART_HEADINGS).filter((heading) => !isTold(heading) || !hasGoals(heading))).toEqual([]);
    const headings = ["Fault-free clusters", "Fault-free fleets", "Injected faults, end to end", "Causes", "Devices", "Faulty nodes"];
    expect(headings.filter((heading) => rowsUnder(heading).length === 0)).toEqual([]);
  });
});

describe("a part of the bench that is written by itself", () => {
  const part = (measured: string): MeasuredPart => ({
    name: "fleet",
    isFull: true,
    seconds: 600,
    day: "2031-02-03",
    sections: [
      { title: "Faults put into a synthetic fleet", text: "New.", rows: [{ fault: "dbe", injected: 8, found: 7, "median delay, s": 3 }] },
    ],
    goals: [{ goal: "a goal", measured, met: false }],
  });
  const merged = mergedDocument(DOCUMENT, [part("seven")]);

  it("takes the place of what stood there, and leaves the other parts and their goals as they were", () => {
    const others = (document: string) =>
      document
        .split(/^(?=## )/m)
        .filter((text) => /^## (?!Fleet|Goals)/.test(text))
        .map((text) => text.trim());
    expect(others(merged)).toEqual(others(DOCUMENT));
    expect(merged).toContain(
      "## Fleet\n\nMeasured on 2031-02-03 by `npm run bench -- detect --part=fleet --full --write`, in 10 minutes on ",
    );
    const goals = readTables(merged).get("Goals")?.rows ?? [];
    expect(goals.filter((goal) => goal["part"] === "Fleet")).toEqual([{ part: "Fleet", goal: "a goal", measured: "seven", met: "**no**" }]);
    expect(goals.filter((goal) => goal["part"] !== "Fleet")).toEqual(rowsUnder("Goals").filter((goal) => goal["part"] !== "Fleet"));
  });

  it("gives the catalogue its figures and keeps those of the others", () => {
    const of = (document: string): Record<string, unknown> => JSON.parse(qualityFigures(document)).detectors;
    expect(of(merged)["loss-shift"]).toEqual(DETECTOR_QUALITY["loss-shift"]);
    expect(of(merged)["ecc"]).toMatchObject({ recall: { found: 7, of: 8 } });
    expect(of(merged)["port-flap"]).toEqual({ falseAlarms: null, delay: null, recall: null });
  });

  it("writes the same document when it is written twice, and all of it when all are", () => {
    expect(mergedDocument(merged, [part("seven")])).toBe(merged);
    expect(mergedDocument(DOCUMENT, [])).toBe(DOCUMENT);
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
