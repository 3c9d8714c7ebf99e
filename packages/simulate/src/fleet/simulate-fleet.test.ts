import { fieldOf, identifySeries, isReading } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { MINUTE, START, fleet, gpuReading, nodeOf, readings } from "./fleet.fixture.ts";
import { fleetValues } from "./fleet-values.ts";
import { EXPORTERS } from "./simulate-fleet.ts";

const TIMES = Array.from({ length: 30 }, (_, index) => START + index * 10_000);

describe("a simulated fleet", () => {
  it("reads the same for the same plan, in whatever order it is asked", () => {
    const [forwards, backwards] = [fleet(), fleet()];
    const read = (of: typeof forwards, times: readonly number[]): ReadonlyMap<number, readonly (string | null)[]> =>
      new Map(times.map((timeMs) => [timeMs, of.nodes.flatMap((node) => EXPORTERS.map((exporter) => node.text(exporter, timeMs)))]));
    const [ahead, back] = [read(forwards, TIMES), read(backwards, TIMES.toReversed())];
    for (const timeMs of TIMES) expect(back.get(timeMs)).toEqual(ahead.get(timeMs));
    expect(fleet({ seed: 12 }).nodes[0]?.text("dcgm", START)).not.toBe(forwards.nodes[0]?.text("dcgm", START));
  });

  it("gives each node, GPU and boot a name of its own, also in a fleet of 16,384 GPUs", () => {
    const { nodes } = fleet({ nodes: 2048, nodesPerRack: 16 });
    const gpus = nodes.flatMap((node) => node.gpusAt(START).map(({ uuid }) => uuid));
    for (const names of [
      nodes.map(({ host }) => host),
      nodes.map(({ machineId }) => machineId),
      nodes.map((node) => node.bootIdAt(START)),
      gpus,
    ])
      expect(new Set(names).size).toBe(names.length);
    expect(gpus).toHaveLength(16_384);
    expect(new Set(nodes.map(({ rack }) => rack)).size).toBe(128);
    expect(nodes.at(-1)).toMatchObject({ host: "h16-n16", rack: "H16" });
  });

  it("has values that the catalogue knows and takes for readings, of the GPU or link that the labels name", () => {
    const { nodes } = fleet();
    for (const node of nodes)
      for (const exporter of EXPORTERS) {
        const scrape = node.scrape(exporter, START + MINUTE);
        scrape?.series.forEach(([name, labels], index) => {
          const field = fieldOf(name);
          if (field === null)
            return expect(["node_load5", "node_load15", "node_timex_sync_status", "process_start_time_seconds"]).toContain(name);
          const value = scrape.values[index] ?? Number.NaN;
          expect([name, value, isReading(field, value)]).toEqual([name, value, true]);
          if (exporter === "dcgm") expect(identifySeries(name, labels).entity?.id).toMatch(/^GPU-[0-9a-f-]{36}(\/link\/\d+)?$/);
        });
      }
  });

  it("counts what it calls a counter upwards only, second by second and over hours", () => {
    const simulated = fleet({
      faults: [
        { kind: "hot-gpu", node: 0, gpu: 1, atMs: START + MINUTE, untilMs: START + 3 * MINUTE, celsius: 25, slowsStepBy: 1.4 },
        { kind: "link-errors", node: 0, gpu: 2, link: 3, atMs: START + MINUTE, untilMs: START + 4 * MINUTE, perSecond: 150 },
        { kind: "ecc", node: 0, gpu: 3, atMs: START + MINUTE, correctedPerHour: 900, uncorrected: 1 },
        { kind: "port-down", node: 0, port: 1, atMs: START + MINUTE, untilMs: START + 2 * MINUTE },
      ],
    });
    const times = [
      ...Array.from({ length: 300 }, (_, second) => START + second * 1000),
      ...Array.from({ length: 60 }, (_, n) => START + n * 20 * MINUTE),
    ];
    for (const exporter of EXPORTERS) {
      let before = new Map<string, number>();
      for (const timeMs of times.toSorted((a, b) => a - b)) {
        const now = new Map(
          [...readings(nodeOf(simulated, 0), exporter, timeMs)].filter(([key]) => fieldOf(key.split(" ")[0] ?? "")?.kind === "counter"),
        );
        expect(now.size).toBeGreaterThan(100);
        for (const [key, value] of now) expect([key, value >= (before.get(key) ?? 0)]).toEqual([key, true]);
        before = now;
      }
    }
  });

  it("is as restless as an exporter: most of what measures work changes from scrape to scrape, and no two GPUs agree", () => {
    const node = nodeOf(fleet(), 0);
    for (const field of [
      "DCGM_FI_DEV_POWER_USAGE",
      "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
      "DCGM_FI_PROF_PCIE_TX_BYTES",
      "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
    ]) {
      const seen = TIMES.map((timeMs) => gpuReading(node, field, 0, timeMs));
      expect(new Set(seen).size).toBeGreaterThan(25);
      expect(new Set(Array.from({ length: 8 }, (_, gpu) => gpuReading(node, field, gpu, START))).size).toBe(8);
    }
  });

  it("writes the power that its energy counter adds up to", () => {
    const node = nodeOf(fleet(), 2);
    const joules =
      (gpuReading(node, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 4, START + 20 * MINUTE) -
        gpuReading(node, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 4, START)) /
      1000;
    const watts = Array.from({ length: 1200 }, (_, second) => gpuReading(node, "DCGM_FI_DEV_POWER_USAGE", 4, START + second * 1000));
    const mean = watts.reduce((sum, value) => sum + value, 0) / watts.length;
    expect(Math.abs(joules / 1200 / mean - 1)).toBeLessThan(0.01);
  });

  it("gives benches the same values without names", () => {
    const plan = { nodes: 4, seed: 11, startMs: START, faults: [{ kind: "index-swap", node: 1, gpu: 0, with: 3, atMs: START }] as const };
    const { width, fields, fill, gpus } = fleetValues(plan);
    const out = new Float64Array(width + 1);
    expect(width).toBe(240);
    for (const timeMs of [START - MINUTE, START + 30 * MINUTE]) {
      fill(out, 1, 1, timeMs);
      const scrape = nodeOf(fleet(plan), 1).scrape("dcgm", timeMs);
      expect([...out.subarray(1)]).toEqual([...(scrape?.values.subarray(0, 240) ?? [])]);
      expect(scrape?.series.filter((_, index) => index % 8 === 0 && index < 240).map(([name]) => name)).toEqual(fields);
    }
    expect(gpus(1)).toEqual(
      nodeOf(fleet(plan), 1)
        .gpusAt(START - MINUTE)
        .map(({ uuid }) => uuid),
    );
  });

  it.each([
    [{ nodes: 0 }, /nodes/],
    [{ gpusPerNode: 17 }, /gpusPerNode/],
    [{ faults: [{ kind: "xid", node: 9, gpu: 0, code: 79, atMs: START }] as const }, /node of xid/],
    [{ faults: [{ kind: "link-down", node: 0, gpu: 0, link: 18, atMs: START }] as const }, /link of link-down/],
    [{ faults: [{ kind: "sentinel", node: 0, gpu: 0, field: "temp", text: "1", atMs: START }] as const }, /DCGM_FI_DEV_GPU_TEMP/],
    [{ run: { plan: { seed: 1 }, pipelineParallel: 3 } }, /3 stages/],
  ])("refuses what it cannot simulate: %j", (over, why) => {
    expect(() => fleet(over)).toThrow(why);
  });
});
