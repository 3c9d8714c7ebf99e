import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FleetDetectorEntry } from "../contract.ts";
import { delayS, gpuName, gpusOf, linksOf, nodeName, play, topologyOf } from "../testing/fleet.fixture.ts";
import type { Cell, FieldPlan } from "../testing/fleet.fixture.ts";
import { ecc } from "./ecc.ts";
import { nvlinkErrors } from "./nvlink-errors.ts";
import { nvlinkRecovery } from "./nvlink-recovery.ts";
import { pcie } from "./pcie.ts";
import { portErrors } from "./port-errors.ts";
import { portFlap } from "./port-flap.ts";

const topology = topologyOf({ nodes: 4 });
const gpus = gpusOf(topology);
const links = linksOf(topology);
const ports = topology.nodes.flatMap(({ id }) => [`${id}/port/mlx5_0:1`, `${id}/port/mlx5_1:1`]);
const CRC = "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL";
const DBE = "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL";

/** A counter of which one row is told by `at`; the others stand. */
const one = (field: string, entities: readonly string[], row: number, at: (tick: number) => Cell, others = 0): FieldPlan => ({
  field,
  entities,
  cell: (each, tick) => (each === row ? at(tick) : others),
});
const say = (entry: FleetDetectorEntry, fields: readonly FieldPlan[], ticks: number) => play([entry], { topology, fields }, ticks).findings;

describe("NVLink errors", () => {
  it("a link that counts each second is a ticket within a minute, and names the link", () => {
    const [finding, ...others] = say(nvlinkErrors, [one(CRC, links, 40, (tick) => Math.max(0, tick - 20) * 10)], 60);
    expect(others).toEqual([]);
    expect([finding?.subject, finding?.severity, finding?.state]).toEqual([
      { kind: "link", id: `${gpuName(0, 2)}/link/4` },
      "warning",
      "ongoing",
    ]);
    expect(delayS(finding, 20)).toBeLessThanOrEqual(50);
    expect(finding?.place).toMatchObject({ gpuId: gpuName(0, 2), nodeId: nodeName(0), rank: 2 });
    expect(finding?.facts).toEqual([{ fact: "link-errors", value: 60 }]);
  });

  it("a hundred a second page", () => {
    const [finding] = say(nvlinkErrors, [one(CRC, links, 0, (tick) => Math.max(0, tick - 20) * 1_500)], 40);
    expect(finding?.severity).toBe("critical");
  });

  it("a slow count is found in time; one burst, and some errors a day, are none", () => {
    const slow = say(nvlinkErrors, [one(CRC, links, 0, (tick) => Math.floor(tick / 6))], 300);
    expect(slow.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(say(nvlinkErrors, [one(CRC, links, 0, (tick) => (tick < 50 ? 3 : 700))], 300)).toEqual([]);
    expect(say(nvlinkErrors, [one(CRC, links, 0, (tick) => Math.floor(tick / 400))], 3_000)).toEqual([]);
  });

  it("a link's own counter and its GPU's total are one finding", () => {
    const at = (tick: number) => Math.max(0, tick - 20) * 10;
    const findings = say(nvlinkErrors, [one("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL", gpus, 2, at), one(CRC, links, 40, at)], 80);
    expect(findings.map(({ subject }) => subject.kind)).toEqual(["link"]);
  });

  it("three recoveries of a link with errors page", () => {
    const recoveries = one("DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL", gpus, 1, (tick) => Math.floor(Math.max(0, tick - 20) / 9));
    expect(say(nvlinkErrors, [recoveries], 90).map(({ severity, subject }) => [severity, subject.id])).toEqual([
      ["critical", gpuName(0, 1)],
    ]);
  });

  it("G1: errors that come for 40 s and go for 40 s, for an hour, are one finding that goes on", () => {
    const at = (tick: number) => Math.floor(tick / 8) * 40 + Math.min(tick % 8, 4) * 10;
    const findings = say(nvlinkErrors, [one(CRC, links, 0, at)], 360);
    expect(findings.map(({ state }) => state)).toEqual(["ongoing"]);
    expect(findings[0]?.summary).toMatch(/, 4\d times\.$/);
  });
});

describe("counters that lie", () => {
  const FIELDS: readonly (readonly [FleetDetectorEntry, string, readonly string[]])[] = [
    [nvlinkErrors, CRC, links],
    [nvlinkErrors, "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_TOTAL", gpus],
    [nvlinkRecovery, "DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL", gpus],
    [ecc, DBE, gpus],
    [ecc, "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", gpus],
    [pcie, "DCGM_FI_DEV_PCIE_REPLAY_TOTAL", gpus],
    [portErrors, "node_infiniband_symbol_error_total", ports],
    [portFlap, "node_infiniband_link_downed_total", ports],
  ];

  it.each(FIELDS)("$0.id: a counter that is reset, or runs backwards, makes no finding ($1)", (entry, field, entities) => {
    const reset = (tick: number) => (tick < 30 ? 5_000 : tick < 60 ? 0 : 0);
    const backwards = (tick: number) => 1_000_000 - tick * 700;
    const twoSources = (tick: number) => (tick % 2 === 0 ? 4_000 : 12);
    const gap = (tick: number): Cell => (tick > 20 && tick < 50 ? "none" : tick < 20 ? 900 : 3);
    for (const at of [reset, backwards, twoSources, gap]) expect(say(entry, [one(field, entities, 1, at)], 120)).toEqual([]);
  });

  it.each(FIELDS)("$0.id: what was counted before the watch began is no news ($1)", (entry, field, entities) => {
    expect(say(entry, [one(field, entities, 1, () => 123_456, 77)], 60)).toEqual([]);
  });

  it.each(FIELDS)("$0.id: E5: sentinels, NaN and readings that are none are never counted ($1)", (entry, field, entities) => {
    const cells: readonly Cell[] = ["sentinel", "none", "ended", Number.NaN, Number.POSITIVE_INFINITY, 0];
    expect(say(entry, [one(field, entities, 1, (tick) => cells[tick % cells.length] ?? 0)], 120)).toEqual([]);
  });

  it("any counters that never grow by more than their noise make no finding", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50_000, max: 0 }), { minLength: 5, maxLength: 60 }), (steps) => {
        const falling = steps.reduce<number[]>((sums, step) => [...sums, (sums.at(-1) ?? 1e9) + step], []);
        for (const [entry, field, entities] of FIELDS)
          expect(say(entry, [one(field, entities, 0, (tick) => falling[tick] ?? 0)], falling.length)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});

describe("memory errors", () => {
  it("one uncorrectable error pages at once", () => {
    const [finding] = say(ecc, [one(DBE, gpus, 9, (tick) => (tick < 20 ? 2 : 3))], 40);
    expect([finding?.subject.id, finding?.severity, delayS(finding, 20)]).toEqual([gpuName(1, 1), "critical", 0]);
    expect(finding?.facts).toEqual([{ fact: "node-memory-error", value: 0 }]);
  });

  it("one error that the total, its part and another source count is one, and two are two", () => {
    const fields = [DBE, "DCGM_FI_DEV_ECC_DBE_VOL_DEV", "nvidia_smi_ecc_errors_uncorrected_volatile_total"];
    const counting = (errors: (tick: number) => number) =>
      say(
        ecc,
        fields.map((field) => one(field, gpus, 9, errors)),
        40,
      )[0]?.summary;
    expect(counting((tick) => (tick < 20 ? 2 : 3))).toMatch(/counted 1 uncorrectable memory error/);
    expect(counting((tick) => (tick < 20 ? 2 : tick < 22 ? 3 : 4))).toMatch(/counted 2 uncorrectable memory errors/);
  });

  it("a burst of corrected errors is none; a rate of them is a ticket", () => {
    const SBE = "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL";
    expect(say(ecc, [one(SBE, gpus, 0, (tick) => (tick < 30 ? 0 : 900))], 100)).toEqual([]);
    expect(say(ecc, [one(SBE, gpus, 0, (tick) => Math.floor(tick / 5))], 200).map(({ severity }) => severity)).toEqual(["warning"]);
  });

  it("the SRAM threshold is a ticket", () => {
    const [finding] = say(ecc, [one("DCGM_FI_DEV_SRAM_EXCEEDED", gpus, 3, (tick) => (tick < 5 ? 0 : 1))], 20);
    expect([finding?.severity, finding?.subject.id]).toEqual(["warning", gpuName(0, 3)]);
  });
});

describe("NVLink recovery", () => {
  it("pages for a failed one, and opens a ticket for one that succeeded", () => {
    const failed = one("DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL", gpus, 0, (tick) => (tick < 10 ? 0 : 1));
    const succeeded = one("DCGM_FI_DEV_NVLINK_RECOVERY_SUCCESSFUL_TOTAL", gpus, 1, (tick) => (tick < 10 ? 0 : 2));
    expect(say(nvlinkRecovery, [failed], 20).map(({ severity }) => severity)).toEqual(["critical"]);
    expect(say(nvlinkRecovery, [succeeded], 20).map(({ severity }) => severity)).toEqual(["warning"]);
  });
});

describe("PCIe", () => {
  const replays = (perTick: number) => one("DCGM_FI_DEV_PCIE_REPLAY_TOTAL", gpus, 0, (tick) => tick * perTick);
  const state = (field: string, value: number): FieldPlan => ({ field, entities: gpus, cell: () => value });

  it.each([
    [1, 1],
    [3, 10],
    [4, 16],
    [6, 40],
  ])("knows the limit of generation %i", (generation, perTick) => {
    const fields = [replays(perTick), state("DCGM_FI_DEV_PCIE_LINK_GEN", generation), state("DCGM_FI_DEV_PCIE_LINK_WIDTH", 16)];
    const limit = 16 * ([0.15, 0.3, 0.48, 0.96, 1.92, 3.84][generation - 1] ?? 0);
    expect(say(pcie, fields, 20).length).toBe(perTick * 6 > limit ? 1 : 0);
  });

  it("misses lanes that other GPUs of the model have", () => {
    const widths = one("DCGM_FI_DEV_PCIE_LINK_WIDTH", gpus, 6, () => 8, 16);
    expect(say(pcie, [widths], 10).map(({ subject, metric }) => [subject.id, metric])).toEqual([[gpuName(0, 6), "pcie width"]]);
  });
});

describe("network ports", () => {
  it("errors at a rate are a ticket, with what grew beside them", () => {
    const errors = one("node_infiniband_symbol_error_total", ports, 1, (tick) => Math.max(0, tick - 10) * 20);
    const waits = one("node_infiniband_port_transmit_wait_total", ports, 1, (tick) => tick * 1_000);
    const [finding] = say(portErrors, [errors, waits], 40);
    expect([finding?.subject, finding?.severity]).toEqual([{ kind: "port", id: `${nodeName(0)}/port/mlx5_1:1` }, "warning"]);
    expect(finding?.evidence.map(({ source }) => source)).toContain("node_infiniband_port_transmit_wait_total");
    expect(say(portErrors, [waits], 40)).toEqual([]);
  });

  it("three times down within twelve hours is flapping, twice is not", () => {
    const flaps = (times: number) =>
      one("node_infiniband_link_downed_total", ports, 2, (tick) => 40 + Math.min(times, Math.floor(tick / 30)));
    expect(say(portFlap, [flaps(2)], 200)).toEqual([]);
    const [finding] = say(portFlap, [flaps(3)], 200);
    expect([finding?.severity, finding?.subject.id, finding?.peakValue]).toEqual(["warning", `${nodeName(1)}/port/mlx5_0:1`, 3]);
  });
});
