import { FLEET_FIELDS, FLEET_SIGNALS } from "@trainwatch/core";
import type { FleetSeriesInfo, SeriesPlace } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { coverageOf } from "./coverage-of.ts";
import { buildLayout } from "./layout-core.ts";

const NODES = 2_048;
const GPUS = 8;
const METRICS = FLEET_FIELDS.filter(({ entity, signal }) => entity === "gpu" && signal !== null).map(({ name }) => name);

const layout = buildLayout(
  Array.from({ length: NODES }, (_, id) => ({
    id,
    machineId: `m${id}`,
    host: `n${id}`,
    aliases: [],
    rack: null,
    cordonedAtMs: null,
    cordonReason: null,
  })),
  Array.from({ length: NODES * GPUS }, (_, gpu) => ({
    id: `GPU-${gpu}`,
    nodeId: Math.floor(gpu / GPUS),
    index: gpu % GPUS,
    model: "H100",
    pci: null,
  })),
  new Map(),
);

const series = Array.from({ length: NODES * GPUS }, (_, gpu): FleetSeriesInfo => ({
  place: { groupId: Math.floor(gpu / GPUS), slot: gpu % GPUS },
  metric: "",
  sourceName: "",
  entity: { kind: "gpu", id: `GPU-${gpu}` },
  labels: {},
}));

describe("the coverage of a large fleet", () => {
  it("is read in pieces, and lets others have their turn between", async () => {
    const asked: number[] = [];
    const ones = async (places: readonly SeriesPlace[]) => {
      asked.push(places.length);
      return {
        values: new Float64Array(places.length).fill(1),
        timesMs: new Float64Array(places.length).fill(1e12),
        has: new Uint8Array(places.length).fill(1),
      };
    };
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const columns = await coverageOf(
      { reader: { at: ones }, eventSources: async () => new Map() },
      { metrics: async () => new Map(METRICS.map((metric) => [metric, series.length])), series: async () => series },
      layout,
      1e12,
    );
    isDone = true;
    expect(turns).toBeGreaterThan(2);
    expect(Math.max(...asked)).toBeLessThanOrEqual(8_192);
    const temperature = columns[FLEET_SIGNALS.findIndex(({ name }) => name === "temperature")];
    expect(new Set(temperature)).toEqual(new Set(["seen"]));
    expect(temperature).toHaveLength(NODES);
  });
});
