import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FLEET_EVENT_KINDS, fieldOf, findingSchema } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FleetDetectorEntry } from "./contract.ts";
import { fleetWatchOf } from "./fleet-watch.ts";
import { FLEET_DETECTORS, FLEET_DETECTOR_FIELDS } from "./registry.ts";
import { T0, gpuName, nodeName, play, tickOf, topologyOf } from "./testing/fleet.fixture.ts";
import type { Cell, FieldPlan, Scene } from "./testing/fleet.fixture.ts";
import { TICKS, troubledScene } from "./testing/troubled.fixture.ts";

/** Counters of time stand at rest nowhere and are not stored: a restart costs their detectors a tick. */
const LEARN_ANEW: readonly string[] = ["thermal", "power-throttle"];

const SOURCES = ["engine", "detectors", "xid", "scrape"].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((file) => file.endsWith(".ts") && !file.includes(".test."))
    .map((file) => readFileSync(join(import.meta.dirname, folder, file), "utf8")),
);

it("ids are unique and stable words, and all fields are of the catalogue", () => {
  const ids = FLEET_DETECTORS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
  expect(FLEET_DETECTOR_FIELDS.filter((name) => fieldOf(name)?.name !== name)).toEqual([]);
});

describe.each(FLEET_DETECTORS.map((entry): [string, FleetDetectorEntry] => [entry.id, entry]))("fleet detector %s", (id, entry) => {
  it("has its manual filled in, and reads every parameter that it lists", () => {
    expect(Number.isInteger(entry.version) && entry.version >= 1).toBe(true);
    for (const text of [entry.title, entry.finds, entry.source]) expect(text.length).toBeGreaterThan(2);
    const names = entry.parameters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, value, meaning } of entry.parameters) {
      expect([name, meaning.length > 5, Number.isFinite(value)]).toEqual([name, true, true]);
      expect([name, SOURCES.some((source) => source.includes(`chosen("${name}")`))]).toEqual([name, true]);
    }
  });

  it("speaks where there is trouble, in findings of the common schema that name no run, with evidence for and against", () => {
    const { all } = play([entry], troubledScene(), TICKS);
    expect(all.length).toBeGreaterThan(0);
    for (const finding of all) {
      expect(findingSchema.strict().parse(finding)).toEqual(finding);
      expect(finding.summary).toMatch(/^[A-Z].*\.$/);
      for (const weight of ["for", "against"]) expect(finding.evidence.some((item) => item.weight === weight)).toBe(true);
      expect([finding.attempt, finding.onsetStep, finding.detectedStep]).toEqual(["", null, null]);
      expect(finding.onsetTimeMs).toBeLessThanOrEqual(finding.detectedTimeMs ?? Number.NaN);
      expect(finding.onsetTimeMs).toBeGreaterThan(T0);
      if (finding.endTimeMs !== null) expect(finding.endTimeMs).toBeGreaterThanOrEqual(finding.onsetTimeMs ?? Number.NaN);
    }
  });

  it("says the same twice", () => {
    expect(play([entry], troubledScene(), TICKS).all).toEqual(play([entry], troubledScene(), TICKS).all);
  });

  it("says the same whatever the order of rows and columns, and when it changes on the way", () => {
    const scene = troubledScene();
    const shuffled: Scene = { ...scene, fields: (scene.fields ?? []).map(reversed).toReversed() };
    const plain = byId(play([entry], scene, TICKS).findings);
    expect(byId(play([entry], shuffled, TICKS).findings)).toEqual(plain);
    const watch = fleetWatchOf([entry], {});
    const all = Array.from({ length: TICKS }, (_, tick) => watch.tick(tickOf(tick % 7 < 3 ? scene : shuffled, tick))).flat();
    expect(byId([...new Map(all.map((finding) => [finding.id, finding])).values()])).toEqual(plain);
  });

  it("stored as JSON and read back, goes on as if it had never stopped", () => {
    const whole = play([entry], troubledScene(), TICKS).all;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: TICKS - 1 }), { minLength: 1, maxLength: 4 }), (cuts) => {
        const cut = play([entry], troubledScene(), TICKS, { cuts }).all;
        if (LEARN_ANEW.includes(id)) expect(told(cut)).toEqual(told(whole));
        else expect(cut).toEqual(whole);
      }),
      { numRuns: 12 },
    );
  });

  it("takes any tick without throwing, never from a reading that is none, and its state stays JSON", () => {
    const names = [...entry.fields, "something else"];
    const cell: fc.Arbitrary<Cell> = fc.oneof(
      { weight: 4, arbitrary: fc.double({ min: -1e6, max: 1e12, noNaN: true }) },
      {
        weight: 2,
        arbitrary: fc.constantFrom<Cell>(
          "none",
          "ended",
          "sentinel",
          Number.NaN,
          Number.POSITIVE_INFINITY,
          Number.NEGATIVE_INFINITY,
          0,
          1,
          -0,
        ),
      },
    );
    const entities = [gpuName(0, 0), gpuName(0, 1), `${gpuName(1, 0)}/link/3`, `${nodeName(1)}/port/mlx5_0:1`, "nobody", ""];
    const scene = fc.array(fc.record({ field: fc.constantFrom(...names), cells: fc.array(cell, { minLength: 6, maxLength: 6 }) }), {
      maxLength: 4,
    });
    const event = fc.record({
      id: fc.integer({ min: 1, max: 4 }),
      kind: fc.constantFrom(...FLEET_EVENT_KINDS),
      code: fc.option(fc.integer({ min: -1, max: 200 })),
      count: fc.integer({ min: 1, max: 1_000_000 }),
      text: fc.string(),
      entity: fc.constantFrom(
        null,
        { kind: "gpu", id: gpuName(0, 0) } as const,
        { kind: "gpu", id: "pci:0000:3b:00" } as const,
        { kind: "port", id: "x" } as const,
      ),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(scene, fc.array(event, { maxLength: 3 })), { maxLength: 25 }), (ticks) => {
        const watch = fleetWatchOf([entry], {});
        const topology = topologyOf({ nodes: 3, gpus: 2 });
        for (const [tick, [columns, events]] of ticks.entries()) {
          const fields = columns.map(({ field, cells }): FieldPlan => ({ field, entities, cell: (row) => cells[row] ?? "none" }));
          const timeMs = T0 + tick * 10_000;
          const told = events.map((each) => ({
            ...each,
            severity: "info" as const,
            timeMs,
            lastTimeMs: timeMs,
            nodeId: nodeName(0),
            host: "c0",
          }));
          for (const finding of watch.tick(tickOf({ topology, fields, events: () => told }, tick))) findingSchema.parse(finding);
        }
        const state = watch.state();
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: 40 },
    );
  });

  it("keeps nothing of a fleet at rest", () => {
    const scene = (nodes: number): Scene => {
      const topology = topologyOf({ nodes });
      const entities = topology.gpus.map((gpu) => gpu.id);
      return { topology, fields: entry.fields.map((field) => ({ field, entities, cell: () => atRest(field) })) };
    };
    const size = (nodes: number): number => JSON.stringify(play([entry], scene(nodes), 20).watch.state()).length;
    // A quadrupled fleet costs nothing but longer numbers.
    expect(size(40)).toBeLessThan(size(10) + 200);
  });

  it("E7: says why it cannot see, and sees nothing in sentinels", () => {
    const topology = topologyOf({ nodes: 2 });
    const blind = play([entry], { topology, silentMs: () => null }, 3).watch.coverage();
    expect([blind[0]?.sees, (blind[0]?.why ?? "").length > 10]).toEqual([false, true]);
    const fields = entry.fields.map((field): FieldPlan => ({ field, entities: [gpuName(0, 0)], cell: () => "sentinel" }));
    expect(play([entry], { topology, fields, silentMs: () => null }, 3).watch.coverage()[0]?.sees).toBe(false);
  });

  it("starts fresh from a state that is not its own", () => {
    const scene = troubledScene();
    const whole = play([entry], scene, TICKS).all;
    for (const stored of [
      null,
      7,
      "x",
      {},
      { detectors: null },
      { detectors: { [id]: { version: 999, state: {} } } },
      { detectors: { [id]: [] } },
    ]) {
      const watch = fleetWatchOf([entry], {}, stored);
      expect(Array.from({ length: TICKS }, (_, tick) => watch.tick(tickOf(scene, tick))).flat()).toEqual(whole);
    }
  });
});

/** What a field of a healthy, working fleet says. */
function atRest(field: string): number {
  if (field === "node_infiniband_state_id") return 4;
  return /UTIL|utilization|GET_STATE|nvlink_active/.test(field) ? 1 : 0;
}

function reversed({ field, entities, cell }: FieldPlan): FieldPlan {
  return { field, entities: entities.toReversed(), cell: (row, tick) => cell(entities.length - 1 - row, tick) };
}

function byId(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** What was told of whom and how bad, whatever the tick. */
function told(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ fingerprint, severity }) => `${fingerprint} ${severity}`))].toSorted();
}
