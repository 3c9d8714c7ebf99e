import { describe, expect, it } from "vitest";
import type { FleetFault } from "./fleet-fault.ts";
import { MINUTE, START, fleet, gpuReading, nodeOf, readings } from "./fleet.fixture.ts";
import { REBOOT_MS } from "./inventory.ts";
import { kmsgText } from "./kernel-log.ts";
import { EXPORTERS } from "./simulate-fleet.ts";
import type { SimulatedFleet } from "./simulate-fleet.ts";

const AT = START + 10 * MINUTE;
const LATER = AT + 20 * MINUTE;
const on = { atMs: AT, node: 1 } as const;

/** Names of the metrics that differ between two fleets of one seed on a node, and what they differ about. */
function differences(a: SimulatedFleet, b: SimulatedFleet, node: number, timeMs: number): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const exporter of EXPORTERS) {
    const [left, right] = [readings(nodeOf(a, node), exporter, timeMs), readings(nodeOf(b, node), exporter, timeMs)];
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      if (Object.is(left.get(key), right.get(key))) continue;
      const [name = "", ...labels] = key.split(" ");
      found.set(name, [...(found.get(name) ?? []), labels.join(" ")]);
    }
  }
  return found;
}

const SHOWN: readonly (readonly [string, FleetFault])[] = (
  [
    { kind: "hot-gpu", ...on, gpu: 5, celsius: 25 },
    { kind: "hot-gpu", ...on, gpu: 5, celsius: 25, slowsStepBy: 1.4 },
    { kind: "link-errors", ...on, gpu: 2, link: 11, perSecond: 120 },
    { kind: "link-down", ...on, gpu: 2, link: 11 },
    { kind: "link-slow", ...on, gpu: 2, link: 11, left: 0.3 },
    { kind: "xid", ...on, gpu: 3, code: 94, untilMs: LATER },
    { kind: "ecc", ...on, gpu: 0, correctedPerHour: 600, uncorrected: 0 },
    { kind: "ecc", ...on, gpu: 0, correctedPerHour: 600, uncorrected: 1 },
    { kind: "row-remap", ...on, gpu: 7, rows: 1, failed: false },
    { kind: "row-remap", ...on, gpu: 7, rows: 2, failed: true },
    { kind: "sentinel", ...on, gpu: 4, field: "DCGM_FI_DEV_FB_USED", text: "4294967295" },
    { kind: "clock-off", ...on, seconds: -40 },
    { kind: "port-down", ...on, port: 6 },
    { kind: "port-errors", ...on, port: 6, perSecond: 40 },
    { kind: "exporter-restart", ...on },
  ] as const
).map((fault) => [`${fault.kind} ${JSON.stringify(fault)}`, fault] as const);

describe.each(SHOWN)("%s", (_, fault) => {
  const [sick, healthy] = [fleet({ faults: [fault] }), fleet()];
  // The window of the count of XIDs is five minutes.
  const whenMs = AT + 4 * MINUTE;

  it("shows in the fields that the ground truth names, in no others, and on no other thing", () => {
    const [truth] = sick.truth;
    const found = differences(sick, healthy, 1, whenMs);
    expect([...found.keys()].toSorted()).toEqual([...(truth?.fields ?? [])].toSorted());
    if (truth?.gpuUuid !== null) for (const labels of [...found.values()].flat()) expect(labels).toContain(truth?.gpuUuid);
    if ("port" in fault) for (const labels of [...found.values()].flat()) expect(labels).toContain("mlx5_6");
  });

  it("shows nothing before it begins, and nothing on other nodes", () => {
    expect(differences(sick, healthy, 1, AT - 1000).size).toBe(0);
    for (const node of [0, 2, 3]) expect(differences(sick, healthy, node, whenMs).size).toBe(0);
  });
});

describe("faults", () => {
  it("XID 79 takes the GPU off the bus; 45 follows on every other GPU of the job within 30 s, and stays in the gauge", () => {
    const sick = fleet({
      faults: [{ kind: "xid", ...on, gpu: 3, code: 79, teardown: true }],
      run: { plan: { seed: 1, startTimeMs: START }, nodes: 3 },
    });
    expect(gpuReading(nodeOf(sick, 1), "DCGM_FI_DEV_GPU_TEMP", 3, AT - 1)).toBeGreaterThan(20);
    expect(gpuReading(nodeOf(sick, 1), "DCGM_FI_DEV_GPU_TEMP", 3, AT)).toBeNaN();
    const told = sick.nodes.map((node) => node.kernelLog(AT, AT + MINUTE).filter(({ text }) => / 45, /.test(text)).length);
    expect(told).toEqual([8, 7, 8, 0]);
    for (const timeMs of [AT + 31_000, LATER]) expect(gpuReading(nodeOf(sick, 0), "DCGM_FI_DEV_XID_ERRORS", 0, timeMs)).toBe(45);
    expect(gpuReading(nodeOf(sick, 0), "DCGM_FI_DEV_XID_ERRORS", 0, AT)).toBe(0);
    expect(sick.truth[0]).toMatchObject({ kind: "xid", host: "a01-n02", xid: 79 });
  });

  it("the count of XIDs is one of a window of five minutes, with the window in a label", () => {
    const sick = fleet({
      faults: [
        { kind: "xid", ...on, gpu: 3, code: 94 },
        { kind: "xid", ...on, atMs: AT + MINUTE, gpu: 3, code: 94 },
      ],
    });
    const counts = (timeMs: number): readonly (readonly [string, number])[] =>
      [...readings(nodeOf(sick, 1), "dcgm", timeMs)].filter(([key]) => key.startsWith('DCGM_EXP_XID_ERRORS_COUNT {"gpu":"3"'));
    expect(counts(AT + 30_000).map(([, value]) => value)).toEqual([1]);
    expect(counts(AT + 2 * MINUTE).map(([, value]) => value)).toEqual([2]);
    expect(counts(AT + 5.5 * MINUTE).map(([, value]) => value)).toEqual([1]);
    expect(counts(AT + 7 * MINUTE)).toEqual([[expect.stringContaining('"window_size_in_ms":"300000","xid":"0"'), 0]]);
  });

  it("a replaced GPU is another one in the same slot after a reboot, with counters from 0", () => {
    const sick = fleet({ faults: [{ kind: "gpu-replaced", ...on, gpu: 6 }] });
    const node = nodeOf(sick, 1);
    const [before, after] = [node.gpusAt(AT - 1), node.gpusAt(AT + REBOOT_MS)];
    expect(sick.truth[0]).toMatchObject({ gpuUuid: before[6]?.uuid, replacedBy: after[6]?.uuid });
    expect(after.map(({ uuid }, index) => uuid === before[index]?.uuid)).toEqual([true, true, true, true, true, true, false, true]);
    expect(after[6]?.pciBusId).toBe(before[6]?.pciBusId);
    for (const timeMs of [AT, AT + REBOOT_MS - 1]) expect(node.scrape("dcgm", timeMs)).toBeNull();
    expect(node.bootIdAt(AT + REBOOT_MS)).not.toBe(node.bootIdAt(AT - 1));
    const energy = (timeMs: number): number => gpuReading(node, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 0, timeMs);
    expect(energy(AT + REBOOT_MS)).toBeLessThan(energy(AT - 1) / 10);
    expect(readings(node, "node", LATER).get("node_boot_time_seconds {}")).toBeGreaterThan(AT / 1000);
  });

  it("after an index swap each GPU keeps its UUID, its PCI address and its ways", () => {
    const sick = fleet({ faults: [{ kind: "index-swap", ...on, gpu: 0, with: 3 }] });
    const node = nodeOf(sick, 1);
    const [before, after] = [node.gpusAt(AT - 1), node.gpusAt(LATER)];
    expect([after[0], after[3]].map((gpu) => [gpu?.uuid, gpu?.pciBusId])).toEqual(
      [before[3], before[0]].map((gpu) => [gpu?.uuid, gpu?.pciBusId]),
    );
    expect(after.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("a restarted exporter is away for a moment and begins anew, its counters of the driver go on", () => {
    const node = nodeOf(fleet({ faults: [{ kind: "exporter-restart", ...on }] }), 1);
    expect(node.text("dcgm", AT + 5_000)).toBeNull();
    expect(node.text("node", AT + 5_000)).toBeNull();
    const energy = (timeMs: number): number => gpuReading(node, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 0, timeMs);
    expect(energy(AT + MINUTE)).toBeGreaterThan(energy(AT - 1));
  });

  it("a lost node says nothing at all until it has booted again", () => {
    const node = nodeOf(fleet({ faults: [{ kind: "node-lost", ...on, untilMs: LATER }] }), 1);
    for (const exporter of EXPORTERS) {
      expect(node.scrape(exporter, AT - 1)).not.toBeNull();
      expect(node.scrape(exporter, AT + 1)).toBeNull();
      expect(node.scrape(exporter, LATER - 1)).toBeNull();
      expect(node.scrape(exporter, LATER + 1)).not.toBeNull();
    }
    expect(node.bootIdAt(LATER + 1)).not.toBe(node.bootIdAt(AT - 1));
    expect(node.kernelLog(AT, LATER - 2 * MINUTE)).toEqual([]);
    expect(nodeOf(fleet({ faults: [{ kind: "node-lost", ...on }] }), 1).scrape("dcgm", LATER + 1_000 * MINUTE)).toBeNull();
  });

  it("a remap that fails is XID 64, one that does not is 63", () => {
    const codes = [false, true].map((failed) => {
      const node = nodeOf(fleet({ faults: [{ kind: "row-remap", ...on, gpu: 2, rows: 1, failed }] }), 1);
      return node.kernelLog(AT, AT + MINUTE).flatMap(({ text }) => /Xid \(PCI:[^)]*\): (\d+)/.exec(text)?.[1] ?? []);
    });
    expect(codes).toEqual([["63"], ["64"]]);
  });

  it("a silent exporter comes back when it is over", () => {
    const node = nodeOf(fleet({ faults: [{ kind: "exporter-silent", ...on, untilMs: LATER }] }), 1);
    expect([AT - 1, AT, LATER - 1, LATER].map((timeMs) => node.text("dcgm", timeMs) === null)).toEqual([false, true, true, false]);
  });

  it("E2: an upgraded exporter renames fields and labels and keeps the values", () => {
    const [upgraded, old] = [nodeOf(fleet({ faults: [{ kind: "exporter-upgrade", ...on }] }), 1), nodeOf(fleet(), 1)];
    const [now, before] = [upgraded.scrape("dcgm", LATER), old.scrape("dcgm", LATER)];
    expect([...(now?.values ?? [])]).toEqual([...(before?.values ?? [])]);
    const labels = new Set(now?.series.flatMap(([, each]) => Object.keys(each)));
    expect(labels.has("hostname") && !labels.has("Hostname")).toBe(true);
    expect(now?.series.some(([name]) => name === "DCGM_FI_DEV_GPU_TEMP_CELSIUS")).toBe(true);
    expect(upgraded.scrape("dcgm", AT - 1)?.series.some(([name]) => name === "DCGM_FI_DEV_GPU_TEMP_CELSIUS")).toBe(false);
  });

  it("E7: an exporter with its default fields says nothing of NVLink errors, links, ECC or throttling", () => {
    const node = nodeOf(fleet({ faults: [{ kind: "default-fields", ...on }] }), 1);
    const names = new Set(node.scrape("dcgm", LATER)?.series.map(([name]) => name));
    expect(names.size).toBe(21);
    for (const name of names) expect(name).not.toMatch(/ERROR_COUNT|_L\d|ECC|THROTTLE|VIOLATION/);
  });

  it("E5: a sentinel is written as its source writes it", () => {
    const faults = ["9223372036854775794", "140737488355328"].map(
      (text, gpu) => ({ kind: "sentinel", ...on, gpu, field: "DCGM_FI_DEV_GPU_TEMP", text }) as const,
    );
    const text = nodeOf(fleet({ faults }), 1).text("dcgm", LATER) ?? "";
    expect(text).toMatch(/DCGM_FI_DEV_GPU_TEMP\{gpu="0".*\} 9223372036854775794\n/);
    expect(text).toMatch(/DCGM_FI_DEV_GPU_TEMP\{gpu="1".*\} 140737488355328\n/);
  });

  it("a clock that is off moves what the node says of time, not what is true", () => {
    const node = nodeOf(fleet({ faults: [{ kind: "clock-off", ...on, seconds: 90 }] }), 1);
    expect(node.clockAt(LATER)).toBe(LATER + 90_000);
    expect(readings(node, "node", LATER).get("node_time_seconds {}")).toBe((LATER + 90_000) / 1000);
    expect(node.clockAt(AT - 1)).toBe(AT - 1);
  });
});

describe("kernel logs", () => {
  const node = nodeOf(
    fleet({
      faults: [
        { kind: "xid", ...on, gpu: 2, code: 79 },
        { kind: "link-down", ...on, atMs: AT + MINUTE, gpu: 2, link: 4 },
      ],
    }),
    1,
  );

  it("tell of an XID as the driver does, and which GPU it was before the first", () => {
    const lines = node.kernelLog(AT, AT + 2 * MINUTE).map(({ text }) => text);
    const uuid = node.gpusAt(AT)[2]?.uuid;
    expect(lines.filter((line) => line.includes("GPU at PCI"))).toEqual([`NVRM: GPU at PCI:0000:52:00: ${uuid}`]);
    expect(lines).toContain("NVRM: Xid (PCI:0000:52:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.");
    expect(lines.some((line) => /Xid \(PCI:0000:52:00\): 74, .*link 4\(/.test(line))).toBe(true);
  });

  it("are the same however they are cut, in order, with growing numbers", () => {
    const whole = node.kernelLog(START, START + 6 * 60 * MINUTE).map(({ timeMs, text }) => [timeMs, text]);
    const cut = Array.from({ length: 360 }, (_, minute) => node.kernelLog(START + minute * MINUTE, START + (minute + 1) * MINUTE)).flat();
    expect(cut.map(({ timeMs, text }) => [timeMs, text])).toEqual(whole);
    expect(whole.length).toBeGreaterThan(5);
    const sequences = cut.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
    for (const line of cut) expect(kmsgText(line)).toMatch(/^\d,\d+,\d+,-;.+\n$/);
  });
});
