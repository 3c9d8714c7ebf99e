import { describe, expect, it } from "vitest";
import type { FleetDetectorEntry } from "../contract.ts";
import { T0, delayS, gpuName, gpusOf, linksOf, nodeName, play, tickOf, topologyOf } from "../testing/fleet.fixture.ts";
import type { Cell, FieldPlan } from "../testing/fleet.fixture.ts";
import { fabricState } from "./fabric-state.ts";
import { gpuLost } from "./gpu-lost.ts";
import { nvlinkBer } from "./nvlink-ber.ts";
import { nvlinkDown } from "./nvlink-down.ts";
import { portDown } from "./port-down.ts";
import { portFlap } from "./port-flap.ts";
import { recoveryAction } from "./recovery-action.ts";
import { retiredPages } from "./retired-pages.ts";
import { rowRemap } from "./row-remap.ts";
import { sxid } from "./sxid.ts";
import { xidEvent } from "../testing/fleet.fixture.ts";

const topology = topologyOf({ nodes: 16 });
const gpus = gpusOf(topology);
const links = linksOf(topology);
const ports = topology.nodes.map(({ id }) => `${id}/port/mlx5_0:1`);
const FROM = 10;

const field = (name: string, entities: readonly string[], row: number, bad: Cell, healthy: Cell, from = FROM): FieldPlan => ({
  field: name,
  entities,
  cell: (each, tick) => (each === row && tick >= from ? bad : healthy),
});

const STATES: readonly (readonly [FleetDetectorEntry, string, number, number, string, string])[] = [
  [rowRemap, "DCGM_FI_DEV_ROW_REMAP_FAILED", 1, 0, "critical", "row remap failed"],
  [rowRemap, "DCGM_FI_DEV_ROW_REMAP_PENDING", 1, 0, "warning", "row remap pending"],
  [rowRemap, "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", 512, 3, "warning", "row remap limit"],
  [rowRemap, "nvidia_smi_remapped_rows_failure", 1, 0, "critical", "row remap failed"],
  [retiredPages, "DCGM_FI_DEV_PAGE_RETIRED_DBE_TOTAL", 63, 62, "warning", "retired pages limit double"],
  [retiredPages, "DCGM_FI_DEV_PAGE_RETIRED_PENDING", 2, 0, "warning", "retired pages pending"],
  [recoveryAction, "DCGM_FI_DEV_GPU_RECOVERY_ACTION", 1, 0, "critical", "recovery action"],
  [recoveryAction, "nvidia_smi_gpu_recovery_action", 2, 0, "critical", "recovery action"],
  [fabricState, "DCGM_FI_DEV_FABRIC_MANAGER_STATUS", 4, 3, "critical", "fabric manager"],
  [fabricState, "DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY", 2, 1, "critical", "fabric health"],
  [fabricState, "DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY", 3, 1, "warning", "fabric health"],
  [nvlinkBer, "DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO", 4e-12, 1e-15, "warning", "nvlink bit error rate"],
];

describe("states", () => {
  it.each(STATES)("$0.id: $1 at $2 is told of its GPU", (entry, name, bad, healthy, severity, metric) => {
    const { findings } = play([entry], { topology, fields: [field(name, gpus, 21, bad, healthy)] }, 30);
    expect(findings.map((finding) => [finding.subject.id, finding.severity, finding.metric, finding.state])).toEqual([
      [gpuName(2, 5), severity, metric, "ongoing"],
    ]);
    expect(delayS(findings[0], FROM)).toBeLessThanOrEqual(20);
    expect(findings[0]?.onsetTimeMs).toBe(T0 + FROM * 10_000);
  });

  it.each(STATES)("$0.id: $1 at $3 is fine, and so are sentinels and silence", (entry, name, bad, healthy) => {
    expect(play([entry], { topology, fields: [field(name, gpus, 21, healthy, healthy)] }, 30).findings).toEqual([]);
    for (const cell of ["sentinel", "ended", "none", Number.NaN] as const)
      expect(play([entry], { topology, fields: [field(name, gpus, 21, cell, healthy)] }, 30).findings).toEqual([]);
    expect(bad).not.toBe(healthy);
  });

  it("a state that cannot be read any more is not over; one that reads well is", () => {
    const gone = {
      topology,
      fields: [
        {
          field: "DCGM_FI_DEV_ROW_REMAP_PENDING",
          entities: gpus,
          cell: (row: number, tick: number): Cell => (row !== 0 ? 0 : tick < 10 ? 1 : "none"),
        },
      ],
    };
    expect(play([rowRemap], gone, 100).findings[0]?.state).toBe("ongoing");
    const well = {
      topology,
      fields: [
        {
          field: "DCGM_FI_DEV_ROW_REMAP_PENDING",
          entities: gpus,
          cell: (row: number, tick: number): Cell => (row !== 0 || tick >= 10 ? 0 : 1),
        },
      ],
    };
    expect(play([rowRemap], well, 100).findings[0]).toMatchObject({ state: "recovered", endTimeMs: T0 + 90_000 });
  });

  it("a node that is out of service has notes, and pages nobody", () => {
    const cordoned = topologyOf({ nodes: 16, cordoned: (node) => node === 2 });
    const { findings } = play([rowRemap], { topology: cordoned, fields: [field("DCGM_FI_DEV_ROW_REMAP_FAILED", gpus, 21, 1, 0)] }, 30);
    expect(findings.map(({ severity }) => severity)).toEqual(["info"]);
  });

  it("parameters of the context are honoured", () => {
    const scene = { topology, fields: [field("DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", gpus, 0, 40, 3)] };
    expect(play([rowRemap], scene, 30).findings).toEqual([]);
    expect(play([rowRemap], scene, 30, { context: { parameters: { "row-remap": { row_limit: 40 } } } }).findings).toHaveLength(1);
  });
});

describe("NVLink down", () => {
  const STATE = "DCGM_FI_DEV_NVLINK_GET_STATE";
  const down = (is: (row: number, tick: number) => boolean): FieldPlan => ({
    field: STATE,
    entities: links,
    cell: (row, tick) => (is(row, tick) ? 0 : 1),
  });

  it("names the link that went down, or the GPU where several did", () => {
    const one = play([nvlinkDown], { topology, fields: [down((row, tick) => row === 40 && tick >= 10)] }, 30).findings;
    expect(one.map(({ subject, severity }) => [subject.kind, subject.id, severity])).toEqual([
      ["link", `${gpuName(0, 2)}/link/4`, "critical"],
    ]);
    expect(delayS(one[0], 10)).toBeLessThanOrEqual(20);
    const many = play([nvlinkDown], { topology, fields: [down((row, tick) => row >= 36 && row < 54 && tick >= 10)] }, 30).findings;
    expect(many.map(({ subject, summary }) => [subject.id, summary])).toEqual([
      [gpuName(0, 2), `GPU 2 (GPU-0000-2) on c0 has 18 NVLinks down of 18.`],
    ]);
  });

  it("misses a link that never was up where nearly all others have it, and not one that nobody has", () => {
    expect(play([nvlinkDown], { topology, fields: [down((row) => row === 40)] }, 30).findings).toHaveLength(1);
    expect(play([nvlinkDown], { topology, fields: [down((row) => row % 18 >= 12)] }, 30).findings).toEqual([]);
  });

  it("a link asleep is not down", () => {
    const asleep: FieldPlan = { field: STATE, entities: links, cell: (_, tick) => (tick % 7 === 0 ? 2 : 1) };
    expect(play([nvlinkDown], { topology, fields: [asleep] }, 60).findings).toEqual([]);
  });
});

describe("network port down", () => {
  const STATE = "node_infiniband_state_id";

  it("is a ticket after three readings and a page after four minutes", () => {
    const scene = { topology, fields: [field(STATE, ports, 3, 1, 4)] };
    const soon = play([portDown], scene, 20).findings;
    expect(soon.map(({ subject, severity }) => [subject.id, severity])).toEqual([[`${nodeName(3)}/port/mlx5_0:1`, "warning"]]);
    expect(delayS(soon[0], FROM)).toBeLessThanOrEqual(30);
    expect(play([portDown], scene, 40).findings.map(({ severity }) => severity)).toEqual(["critical"]);
  });

  it("one that goes down anew within the four minutes is no drop yet", () => {
    const scene = { topology, fields: [field(STATE, ports, 3, 1, 4), field("node_infiniband_link_downed_total", ports, 3, 2, 1, 30)] };
    expect(play([portDown], scene, 40).findings.map(({ severity }) => severity)).toEqual(["warning"]);
  });

  it("an unused port, and one of a cordoned node, are nobody's trouble", () => {
    const unused: FieldPlan = { field: STATE, entities: ports, cell: (row) => (row % 2 === 0 ? 1 : 4) };
    expect(play([portDown], { topology, fields: [unused] }, 60).findings).toEqual([]);
  });

  it("G1: by the log alone, a port that is down for longer than 25 s three times is flapping", () => {
    const port = { kind: "port" as const, id: `${nodeName(2)}/port/ens3f0np0` };
    const at = (tick: number, downS: number) =>
      tick % 20 === 5
        ? [xidEvent({ code: 0, node: 2, kind: "link-down", entity: port, timeMs: T0 + tick * 10_000 - downS * 1_000 })]
        : tick % 20 === 6
          ? [xidEvent({ code: 0, node: 2, kind: "link-up", entity: port, timeMs: T0 + (tick - 1) * 10_000 })]
          : [];
    expect(play([portFlap], { topology, events: (tick) => at(tick, 40) }, 60).findings.map(({ subject }) => subject)).toEqual([port]);
    expect(play([portFlap], { topology, events: (tick) => at(tick, 3) }, 60).findings).toEqual([]);
  });
});

describe("lost GPU", () => {
  const TEMP = "DCGM_FI_DEV_GPU_TEMP_CELSIUS";
  const temperatures = (is: (row: number, tick: number) => Cell): FieldPlan => ({ field: TEMP, entities: gpus, cell: is });

  it.each(["none", "ended"] as const)("is told when its readings end (%s) and its node's others go on", (end) => {
    const { findings } = play([gpuLost], { topology, fields: [temperatures((row, tick) => (row === 13 && tick >= 10 ? end : 60))] }, 30);
    expect(findings.map(({ subject, severity, state }) => [subject.id, severity, state])).toEqual([[gpuName(1, 5), "critical", "stalled"]]);
    expect(delayS(findings[0], 10)).toBeLessThanOrEqual(20);
  });

  it("an exporter that is down, or has most GPUs gone, is not many lost GPUs", () => {
    expect(
      play([gpuLost], { topology, fields: [temperatures((row, tick) => (row < 8 && tick >= 10 ? "none" : 60))] }, 30).findings,
    ).toEqual([]);
    expect(
      play([gpuLost], { topology, fields: [temperatures((row, tick) => (row < 5 && tick >= 10 ? "none" : 60))] }, 30).findings,
    ).toEqual([]);
  });

  it("a scrape each minute is not six missed ones", () => {
    const slow: FieldPlan = { ...temperatures(() => 60), ageMs: (_, tick) => (tick % 6) * 10_000 };
    expect(play([gpuLost], { topology, fields: [slow] }, 60).findings).toEqual([]);
  });

  it("is over when it reads again, and when the driver's word for it is taken back by readings", () => {
    const back = play(
      [gpuLost],
      { topology, fields: [temperatures((row, tick) => (row === 13 && tick >= 10 && tick < 30 ? "none" : 60))] },
      60,
    ).findings;
    expect(back.map(({ state }) => state)).toEqual(["recovered"]);
    const told = xidEvent({ code: 0, node: 1, gpu: 5, kind: "gpu-lost", text: "GPU 0000:3b:00.0: GPU has fallen off the bus." });
    const { findings } = play([gpuLost], { topology, events: (tick) => (tick === 3 ? [told] : []) }, 10);
    expect(findings.map(({ subject, summary }) => [subject.id, summary])).toEqual([
      [gpuName(1, 5), "GPU 5 (GPU-0001-5) on c1 is lost: GPU 0000:3b:00.0: GPU has fallen off the bus."],
    ]);
  });
});

describe("SXid", () => {
  const event = (code: number, text: string, count = 1) =>
    xidEvent({
      code,
      node: 3,
      kind: "sxid",
      entity: { kind: "switch", id: `${nodeName(3)}/switch/2` },
      text: `SXid (PCI:0000:c3:00.0): ${code}, ${text}`,
      count,
    });

  it.each([
    [20034, "Fatal, Link 30 LTSSM Fault Up", "critical", "reset the fabric"],
    [11004, "Fatal, Link 30 ingress invalid ACL", "critical", "fabric manager"],
    [19084, "Non-fatal, Link 29 AN1 Heartbeat Timeout Error (First)", "warning", "signal"],
    [12021, "Non-fatal, Link 04 egress ECC limit reached", "info", "Nothing to do"],
  ])("%i, %s", (code, text, severity, action) => {
    const { findings } = play([sxid], { topology, events: (tick) => (tick === 1 ? [event(code, text)] : []) }, 5);
    expect(findings.map((finding) => [finding.subject.id, finding.severity])).toEqual([[`${nodeName(3)}/switch/2`, severity]]);
    expect(findings[0]?.evidence.map((item) => item.text).join(" ")).toContain(action);
  });

  it("lines of many links of one switch are one finding", () => {
    const { findings } = play(
      [sxid],
      {
        topology,
        events: (tick) => (tick < 5 ? Array.from({ length: 16 }, (_, link) => event(20034, `Fatal, Link ${link} LTSSM Fault Up`)) : []),
      },
      60,
    );
    expect(findings.map(({ peakValue }) => peakValue)).toEqual([80]);
  });

  it("counts each line of a burst once that comes hours late and piece by piece, over restarts too", () => {
    const late = event(20034, "Fatal, Link 30 LTSSM Fault Up");
    const grown = new Map([
      [1, 10],
      [40, 20],
      [120, 25],
    ]);
    const events = (tick: number) => {
      const count = grown.get(tick);
      return count === undefined ? [] : [{ ...late, timeMs: T0 - 3 * 3_600_000, lastTimeMs: T0 - 3 * 3_600_000 + count * 1_000, count }];
    };
    for (const cuts of [[], [1, 20, 41, 100, 121]]) {
      const { findings } = play([sxid], { topology, events }, 200, { cuts });
      expect(findings.map(({ peakValue }) => peakValue)).toEqual([25]);
    }
  });
});

describe("a GPU that is taken out", () => {
  it("is closed a day after its last reading, with a word that nobody has seen it end", () => {
    const scene = { topology, fields: [field("DCGM_FI_DEV_ROW_REMAP_FAILED", gpus, 21, 1, 0)] };
    const { watch, findings } = play([rowRemap], scene, 20);
    const gone = { topology, fields: [field("DCGM_FI_DEV_ROW_REMAP_FAILED", gpus, 21, "none", 0)] };
    expect(watch.tick(tickOf(gone, 8_000))).toEqual([]);
    const [closed] = watch.tick(tickOf(gone, 8_700));
    expect(closed).toMatchObject({ id: findings[0]?.id, state: "recovered", endTimeMs: T0 + 190_000 });
    expect(closed?.summary).toMatch(/; it has not been read for a day, and is closed\.$/);
    expect(closed?.evidence.at(-1)?.text).toMatch(/^Nothing has been read of it since/);
    expect(watch.tick(tickOf(gone, 9_000))).toEqual([]);
  });
});
