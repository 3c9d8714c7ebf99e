import { describe, expect, it } from "vitest";
import { delayS, gpuName, gpusOf, linksOf, play, topologyOf } from "../testing/fleet.fixture.ts";
import type { FieldPlan } from "../testing/fleet.fixture.ts";
import { clockLow } from "./clock-low.ts";
import { gpuIdle } from "./gpu-idle.ts";
import { nvlinkBandwidth } from "./nvlink-bandwidth.ts";
import { powerThrottle } from "./power-throttle.ts";
import { thermal } from "./thermal.ts";

const topology = topologyOf({ nodes: 8 });
const gpus = gpusOf(topology);
const links = linksOf(topology);
const FROM = 20;
/** Repeatable noise of about ±1. */
const noise = (row: number, tick: number): number => Math.sin(row * 12.9898 + tick * 78.233);
const busy = (share = 0.97): FieldPlan => ({ field: "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", entities: gpus, cell: () => share });

describe("NVLink bandwidth", () => {
  const traffic = (at: (row: number, tick: number) => number): FieldPlan => ({
    field: "DCGM_FI_PROF_NVLINK_TX_BYTES",
    entities: gpus,
    cell: at,
  });
  const perLink = (at: (row: number, tick: number) => number): FieldPlan => ({
    field: "DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK",
    entities: links,
    cell: at,
  });

  it.each([
    [0.8, "warning", 50],
    [0.4, "critical", 40],
  ])("a GPU at %d of its peers is told (%s)", (share, severity, withinS) => {
    const { findings } = play(
      [nvlinkBandwidth],
      { topology, fields: [traffic((row, tick) => 3e11 * (1 + 0.01 * noise(row, tick)) * (row === 11 && tick >= FROM ? share : 1))] },
      60,
    );
    expect(findings.map((finding) => [finding.subject.id, finding.severity])).toEqual([[gpuName(1, 3), severity]]);
    expect(delayS(findings[0], FROM)).toBeLessThanOrEqual(withinS);
    expect(findings[0]?.facts[0]?.value).toBeCloseTo(share, 1);
  });

  it("a link at 0.6 of its GPU's others is told by its number, whatever the topology gives each", () => {
    const usual = (row: number) => 2e10 * (row % 18 < 6 ? 0.5 : 1);
    const fields = [perLink((row, tick) => usual(row) * (1 + 0.01 * noise(row, tick)) * (row === 100 && tick >= FROM ? 0.6 : 1))];
    const { findings } = play([nvlinkBandwidth], { topology, fields }, 60);
    expect(findings.map(({ subject }) => subject)).toEqual([{ kind: "link", id: links[100] }]);
    expect(delayS(findings[0], FROM)).toBeLessThanOrEqual(50);
  });

  it("rest, checkpoints that nodes are read in at different times, and starts are no slow links", () => {
    const phases = traffic((row, tick) => {
      const late = row % 16 < 5 ? 1 : 0;
      const inCheckpoint = (tick - late + 1000) % 40 < 4;
      return (inCheckpoint || tick < 3 + late ? 0 : 3e11) * (1 + 0.01 * noise(row, tick));
    });
    expect(play([nvlinkBandwidth], { topology, fields: [phases] }, 400).findings).toEqual([]);
    expect(play([nvlinkBandwidth], { topology, fields: [traffic((row) => (row === 3 ? 0 : 100))] }, 5).findings).toEqual([]);
  });

  it("compares nobody that runs nothing", () => {
    const idle = topologyOf({ nodes: 8, runOf: () => null });
    expect(play([nvlinkBandwidth], { topology: idle, fields: [traffic((row) => (row === 3 ? 1e10 : 3e11))] }, 60).findings).toEqual([]);
  });
});

describe("heat", () => {
  it("a GPU ten degrees above its peers is a ticket; a warm room is not", () => {
    const temperature = (at: (row: number, tick: number) => number): FieldPlan => ({
      field: "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
      entities: gpus,
      cell: at,
    });
    const hot = play(
      [thermal],
      { topology, fields: [temperature((row, tick) => Math.round(60 + 2 * noise(row, tick)) + (row === 5 && tick >= FROM ? 16 : 0))] },
      40,
    ).findings;
    expect(hot.map((finding) => [finding.subject.id, finding.metric, finding.facts[0]?.fact])).toEqual([
      [gpuName(0, 5), "temperature", "hot"],
    ]);
    expect(delayS(hot[0], FROM)).toBeLessThanOrEqual(30);
    expect(
      play([thermal], { topology, fields: [temperature((row, tick) => Math.round(60 + tick / 2 + 2 * noise(row, tick)))] }, 80).findings,
    ).toEqual([]);
  });

  it.each([
    ["DCGM_FI_DEV_THERMAL_VIOLATION", 1e9],
    ["nvidia_smi_clocks_event_reasons_counters_hw_thermal_slowdown_seconds", 1],
  ])("time in thermal slowdown while it works is a ticket (%s)", (field, second) => {
    const slowed = (share: number, from = FROM): FieldPlan => ({
      field,
      entities: gpus,
      cell: (row, tick) => (row === 5 ? Math.max(0, tick - from) * 10 * share * second : 0),
    });
    const [finding] = play([thermal], { topology, fields: [slowed(0.9), busy()] }, 50).findings;
    expect([finding?.subject.id, finding?.facts[0]?.fact]).toEqual([gpuName(0, 5), "throttled"]);
    expect(finding?.facts[0]?.value).toBeCloseTo(0.9);
    expect(delayS(finding, FROM)).toBeLessThanOrEqual(20);
    expect(play([thermal], { topology, fields: [slowed(0.005), busy()] }, 200).findings).toEqual([]);
    expect(play([thermal], { topology, fields: [slowed(0.9), busy(0)] }, 50).findings).toEqual([]);
  });

  it("the thermal bits of the clock event reasons count, the power cap's does not", () => {
    const bits = (mask: number): FieldPlan => ({
      field: "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
      entities: gpus,
      cell: (row, tick) => (row === 5 && tick >= FROM ? mask : 0),
    });
    expect(play([thermal], { topology, fields: [bits(0x40), busy()] }, 50).findings).toHaveLength(1);
    expect(play([thermal], { topology, fields: [bits(0x4), busy()] }, 50).findings).toEqual([]);
    expect(play([powerThrottle], { topology, fields: [bits(0x80), busy()] }, 50).findings.map(({ metric }) => metric)).toEqual([
      "power brake",
    ]);
    expect(play([powerThrottle], { topology, fields: [bits(0x4), busy()] }, 50).findings).toEqual([]);
  });

  it("a power cap that all share is how the job is; one GPU's alone is a ticket", () => {
    const capped = (share: (row: number) => number): FieldPlan => ({
      field: "DCGM_FI_DEV_POWER_VIOLATION",
      entities: gpus,
      cell: (row, tick) => tick * 1e10 * share(row),
    });
    expect(play([powerThrottle], { topology, fields: [capped(() => 0.6)] }, 100).findings).toEqual([]);
    expect(
      play([powerThrottle], { topology, fields: [capped((row) => (row === 9 ? 0.8 : 0.1))] }, 100).findings.map(
        ({ subject }) => subject.id,
      ),
    ).toEqual([gpuName(1, 1)]);
  });
});

describe("clocks", () => {
  const clock = (at: (row: number, tick: number) => number): FieldPlan => ({ field: "DCGM_FI_DEV_SM_CLOCK", entities: gpus, cell: at });

  it("a working GPU's clock well below its peers' is a ticket", () => {
    const { findings } = play(
      [clockLow],
      { topology, fields: [clock((row, tick) => 1_900 + 30 * noise(row, tick) - (row === 7 && tick >= FROM ? 700 : 0)), busy()] },
      40,
    );
    expect(findings.map(({ subject }) => subject.id)).toEqual([gpuName(0, 7)]);
    expect(delayS(findings[0], FROM)).toBeLessThanOrEqual(30);
  });

  it("one at rest, and one of which nobody knows whether it works, is not accused", () => {
    const low = clock((row) => (row === 7 ? 345 : 1_980));
    const resting: FieldPlan = { ...busy(), cell: (row) => (row === 7 ? 0 : 0.97) };
    expect(play([clockLow], { topology, fields: [low, resting] }, 40).findings).toEqual([]);
    expect(play([clockLow], { topology, fields: [low] }, 40).findings).toEqual([]);
  });
});

describe("a GPU at rest in a working job", () => {
  const activity = (at: (row: number, tick: number) => number): FieldPlan => ({ ...busy(), cell: at });

  it("is told within a minute", () => {
    const { findings } = play([gpuIdle], { topology, fields: [activity((row, tick) => (row === 30 && tick >= FROM ? 0 : 0.97))] }, 40);
    expect(findings.map(({ subject }) => subject.id)).toEqual([gpuName(3, 6)]);
    expect(delayS(findings[0], FROM)).toBeLessThanOrEqual(50);
  });

  it("is not told where it never worked, where the job rests, or where many rest", () => {
    expect(play([gpuIdle], { topology, fields: [activity((row) => (row === 30 ? 0 : 0.97))] }, 40).findings).toEqual([]);
    expect(play([gpuIdle], { topology, fields: [activity((_, tick) => (tick >= FROM ? 0.01 : 0.97))] }, 60).findings).toEqual([]);
    expect(
      play([gpuIdle], { topology, fields: [activity((row, tick) => (row % 2 === 0 && tick >= FROM ? 0 : 0.97))] }, 60).findings,
    ).toEqual([]);
  });
});
