import { COVERAGE_STATES, READING_STATES, type FleetCoverage } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { seedRun } from "../fixtures/verb-bench.ts";
import { createFleetWorld, gpuLabels, MINUTE, SECOND, T0, type Told, uuid } from "./fleet-world.fixture.ts";

const TEMP = "DCGM_FI_DEV_GPU_TEMP";
const UTIL = "DCGM_FI_DEV_GPU_UTIL";

function states(columns: readonly number[]): readonly (string | undefined)[] {
  return columns.map((state) => READING_STATES[state]);
}

function coverageOf({ nodes, signals }: FleetCoverage, host: string, signal: string): string | undefined {
  const node = nodes.findIndex((each) => each.host === host);
  return COVERAGE_STATES[signals.find(({ name }) => name === signal)?.states[node] ?? -1];
}

describe("the status line", () => {
  it("tells the newest sample of the fleet, and how many nodes report", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [[TEMP, gpuLabels("n1", 0, uuid(1)), 50]]);
    await world.send(T0 + 10 * MINUTE, [[TEMP, gpuLabels("n2", 0, uuid(2)), 50]]);
    world.bench.clock.set(T0 + 11 * MINUTE);
    expect(await world.read.status.get()).toMatchObject({
      newestSampleAtMs: T0 + 10 * MINUTE,
      newestRunSampleAtMs: null,
      fleet: { nodes: 2, nodesReporting: 1 },
    });
  });
});

describe("the layout", () => {
  it("shows a mark to whoever looks next, and no longer once it is taken away, in the same second", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [[TEMP, gpuLabels("n1", 0, uuid(1)), 50]]);
    world.bench.clock.set(T0 + MINUTE);
    const reasonOf = async () => (await world.read.fleet.layout({})).nodes.map(({ cordoned }) => cordoned?.why ?? null);
    const operator = world.bench.as("operate");
    const [node] = (await world.read.fleet.layout({})).nodes;
    const mark = { nodeId: node?.id ?? "", reason: "one GPU runs hot" };
    await operator.fleet.cordon(mark);
    expect(await reasonOf()).toEqual(["one GPU runs hot"]);
    await operator.fleet.uncordon(mark);
    expect(await reasonOf()).toEqual([null]);
  });

  it("E2: an exporter's upgrade that renames labels and metric leaves one GPU, without a gap and without an event", async () => {
    await using world = await createFleetWorld();
    const { UUID: id = "", Hostname: host = "", modelName: model = "", ...rest } = gpuLabels("n1", 0);
    await world.send(T0, [[TEMP, gpuLabels("n1", 0), 61]]);
    await world.send(T0 + 10 * SECOND, [
      ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", { ...rest, gpu_uuid: id, hostname: host, model_name: model }, 62],
    ]);
    const layout = await world.read.fleet.layout({ atMs: T0 + 10 * SECOND });
    expect(layout.gpu.id).toEqual([uuid(0)]);
    expect(layout.nodes.map(({ host: name }) => name)).toEqual(["n1"]);
    const window = await world.read.fleet.window({ metric: TEMP, fromMs: T0, toMs: T0 + 20 * SECOND, buckets: 2 });
    expect(window.series.map(({ mean }) => mean)).toEqual([[61, 62]]);
    expect((await world.read.fleet.events({})).total).toBe(0);
  });

  it("E4: after a reboot that swaps two indexes the index is shown as at the time asked for", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [
      [TEMP, gpuLabels("n1", 0, uuid(1)), 50],
      [TEMP, gpuLabels("n1", 3, uuid(2)), 60],
    ]);
    await world.send(T0 + 10 * MINUTE, [
      [TEMP, gpuLabels("n1", 3, uuid(1)), 51],
      [TEMP, gpuLabels("n1", 0, uuid(2)), 61],
    ]);
    const before = await world.read.fleet.layout({ atMs: T0 + MINUTE });
    const after = await world.read.fleet.layout({ atMs: T0 + 11 * MINUTE });
    expect(before.gpu.id).toEqual([uuid(1), uuid(2)]);
    expect(before.gpu.index).toEqual([0, 3]);
    expect(after.gpu.id).toEqual([uuid(2), uuid(1)]);
    expect(after.digest).not.toBe(before.digest);
    // The history follows the UUID.
    const { history } = await world.read.fleet.gpu({ gpuId: uuid(1), atMs: T0 + 11 * MINUTE });
    expect(history.filter(({ name }) => name === "index").map(({ value, fromMs, toMs }) => [value, fromMs, toMs])).toEqual([
      ["3", T0 + 10 * MINUTE, null],
      ["0", T0, T0 + 10 * MINUTE],
    ]);
    expect((await world.read.fleet.events({})).total).toBe(0);
  });

  it("E4: another GPU in a slot is one event, and from then on the old one is nowhere", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [[TEMP, gpuLabels("n1", 0, uuid(1)), 50]]);
    await world.send(T0 + MINUTE, [[TEMP, gpuLabels("n1", 0, uuid(9)), 50]]);
    expect((await world.read.fleet.layout({ atMs: T0 })).gpu.id).toEqual([uuid(1)]);
    expect((await world.read.fleet.layout({ atMs: T0 + MINUTE })).gpu.id).toEqual([uuid(9)]);
    const events = await world.read.fleet.events({});
    expect(events.items.map(({ kind, count, entity }) => [kind, count, entity?.id])).toEqual([["gpu-replaced", 1, uuid(9)]]);
  });

  it("shows which rank of the newest attempt a GPU ran, and no rank before the attempt began", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [
      [TEMP, gpuLabels("n1", 0), 50],
      [TEMP, gpuLabels("n1", 1), 60],
    ]);
    const push = (seq: number, attempt: string, from: number, ranks: readonly object[]) =>
      world.read.ingest.push({
        source: "trainer",
        seq,
        run: { project: "p", name: "llm" },
        attempt,
        series: [{ metric: "loss" }],
        columns: [{ series: 0, step: [seq * 100 + 1], time: [from], value: [2] }],
        assignments: ranks.map((rank) => ({ from: new Date(from).toISOString(), ...rank })),
      });
    await push(1, "a1", T0, [
      { rank: 0, node: "n1", gpuIndex: 0, pp: 1 },
      { rank: 1, gpuUuid: uuid(1) },
    ]);
    await push(2, "a2", T0 + 30 * MINUTE, [{ rank: 7, node: "n1", gpuIndex: 1 }]);
    const first = await world.read.fleet.layout({ atMs: T0 + MINUTE });
    expect(first.runs.map(({ name }) => name)).toEqual(["p/llm"]);
    expect(first.gpu.rank).toEqual([0, 1]);
    expect(first.gpu.stage).toEqual([1, null]);
    const second = await world.read.fleet.layout({ atMs: T0 + 40 * MINUTE });
    expect(second.gpu.rank).toEqual([null, 7]);
    expect(second.gpu.run).toEqual([-1, 0]);
  });

  it("reads ranks from a label by a rule, and what somebody has said beats it", async () => {
    await using world = await createFleetWorld();
    const runId = await seedRun(world.bench.store, "llm");
    await world.send(T0, [
      [TEMP, { ...gpuLabels("n1", 0), pod: "llm-worker-0" }, 50],
      [TEMP, { ...gpuLabels("n1", 1), pod: "llm-worker-0" }, 50],
      [TEMP, { ...gpuLabels("n1", 2), pod: "something-else" }, 50],
    ]);
    await world.read.fleet.setAssignmentRules({
      rules: [{ label: "pod", pattern: String.raw`(?<run>.+)-worker-(?<rank>\d+)`, perNode: 8 }],
    });
    world.bench.clock.advance(10 * SECOND);
    const layout = await world.read.fleet.layout({ atMs: T0 + SECOND });
    expect(layout.gpu.rank).toEqual([0, 1, null]);
    expect(layout.runs).toEqual([{ id: runId, name: "test/llm" }]);
  });
});

describe("a metric on the fleet", () => {
  it("E5: sentinels are counted as invalid, and neither shown nor averaged", async () => {
    await using world = await createFleetWorld();
    const values = [61, 4294967295, 808334905, Number("9223372036854775794"), 140737488355328];
    await world.send(
      T0,
      values.map((value, index): Told => [TEMP, gpuLabels("n1", index), value]),
    );
    const frame = await world.read.fleet.frame({ metric: TEMP, atMs: T0 });
    expect(frame.values).toEqual([61, null, null, null, null]);
    expect(states(frame.states)).toEqual(["ok", "invalid", "invalid", "invalid", "invalid"]);
    await world.send(T0 + SECOND, [[TEMP, gpuLabels("n1", 1), 70]]);
    const { series } = await world.read.fleet.window({
      metric: TEMP,
      fromMs: T0,
      toMs: T0 + 10 * SECOND,
      buckets: 1,
      entityIds: [uuid(1)],
    });
    expect(series[0]).toMatchObject({ mean: [70], max: [70], count: [1], invalid: [1] });
  });

  it("E5: the same numbers as utilisation and as NVLink traffic are no readings either", async () => {
    await using world = await createFleetWorld();
    const values = [4294967295, 808334905, Number("9223372036854775794"), 140737488355328];
    const told = (metric: string): Told[] => values.map((value, index) => [metric, gpuLabels("n1", index), value]);
    await world.send(T0, [...told(UTIL), ...told("DCGM_FI_PROF_NVLINK_TX_BYTES")]);
    for (const metric of [UTIL, "DCGM_FI_PROF_NVLINK_TX_BYTES"]) {
      const frame = await world.read.fleet.frame({ metric, atMs: T0 });
      expect([metric, states(frame.states)]).toEqual([metric, values.map(() => "invalid")]);
    }
  });

  it("tells apart what was never seen, what is too old, and what is no finite number", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [
      [TEMP, gpuLabels("n1", 0), 61],
      [TEMP, gpuLabels("n1", 1), 62],
      [UTIL, gpuLabels("n1", 2), 99],
    ]);
    await world.send(T0 + 10 * MINUTE, [
      [TEMP, gpuLabels("n1", 0), Number.NaN],
      [UTIL, gpuLabels("n1", 2), 99],
    ]);
    const frame = await world.read.fleet.frame({ metric: TEMP, atMs: T0 + 10 * MINUTE });
    expect(states(frame.states)).toEqual(["non-finite", "stale", "none"]);
    expect(frame.values).toEqual([null, null, null]);
  });

  it("shows a counter as its rate, over a reset and on every bucket", async () => {
    await using world = await createFleetWorld();
    const counter = "DCGM_FI_DEV_PCIE_REPLAY_COUNTER";
    for (const [at, value] of [
      [0, 100],
      [30, 130],
      [60, 190],
      [90, 5],
    ] as const)
      await world.send(T0 + at * SECOND, [[counter, gpuLabels("n1", 0), value]]);
    const window = await world.read.fleet.window({ metric: counter, fromMs: T0, toMs: T0 + 120 * SECOND, buckets: 4 });
    expect(window).toMatchObject({ isRate: true, unit: "/s" });
    expect(window.series[0]?.mean).toEqual([null, 1, 2, 5 / 30]);
    const frame = await world.read.fleet.frame({ metric: counter, atMs: T0 + 60 * SECOND });
    expect(frame.isRate).toBe(true);
    expect(frame.values).toEqual([90 / 60]);
  });

  it("plays frames that equal the single ones", async () => {
    await using world = await createFleetWorld();
    for (let at = 0; at < 6; at++)
      await world.send(
        T0 + at * MINUTE,
        [0, 1].map((index): Told => [TEMP, gpuLabels("n1", index), 50 + at + 10 * index]),
      );
    const frames = await world.read.fleet.frames({ metric: TEMP, fromMs: T0, toMs: T0 + 5 * MINUTE, count: 6 });
    expect(frames.atMs).toHaveLength(6);
    for (const [place, atMs] of frames.atMs.entries()) {
      const frame = await world.read.fleet.frame({ metric: TEMP, atMs });
      expect(frames.values[place]).toEqual(frame.values);
    }
  });

  it("says how many series there are where more were asked for than are drawn", async () => {
    await using world = await createFleetWorld();
    await world.send(
      T0,
      Array.from({ length: 80 }, (_, number): Told => [TEMP, gpuLabels(`n${Math.floor(number / 8)}`, number % 8, uuid(number)), 50]),
    );
    const window = await world.read.fleet.window({ metric: TEMP, fromMs: T0, toMs: T0 + MINUTE, buckets: 1 });
    expect([window.series.length, window.seriesTotal]).toEqual([64, 80]);
    const node = await world.read.fleet.window({ metric: TEMP, fromMs: T0, toMs: T0 + MINUTE, buckets: 1, nodeId: "name:n3" });
    expect(node.series.map(({ entity }) => entity?.id)).toEqual(Array.from({ length: 8 }, (_, index) => uuid(24 + index)));
  });

  it("compares a GPU with its peers, and is silent where they are too few", async () => {
    await using world = await createFleetWorld();
    const told = Array.from({ length: 16 }, (_, number): Told => [
      TEMP,
      gpuLabels(`n${number >> 3}`, number % 8, uuid(number)),
      number === 5 ? 95 : 60 + (number % 4),
    ]);
    await world.send(T0, told);
    const hot = await world.read.fleet.gpu({ gpuId: uuid(5), atMs: T0 });
    expect(hot.readings[0]).toMatchObject({ metric: "DCGM_FI_DEV_GPU_TEMP_CELSIUS", value: 95, state: "ok", peers: 15 });
    expect(hot.readings[0]?.peerZ).toBeGreaterThan(10);
    expect(hot.neighbours).toHaveLength(7);
  });
});

describe("coverage", () => {
  const busy = (index: number): Told[] => [
    [UTIL, gpuLabels("n1", index), 99],
    [TEMP, gpuLabels("n1", index), 70],
    ["DCGM_FI_DEV_POWER_USAGE", gpuLabels("n1", index), 650],
    ["DCGM_FI_DEV_XID_ERRORS", gpuLabels("n1", index), 0],
    ["DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", gpuLabels("n1", index), 0],
  ];

  it("E7: a node with the default fields is blind to NVLink errors and ECC, and a constant 0 on a busy node is not seen", async () => {
    await using world = await createFleetWorld();
    for (const minute of [0, 5, 10]) await world.send(T0 + minute * MINUTE, [0, 1].flatMap(busy));
    const coverage = await world.read.fleet.coverage({ atMs: T0 + 10 * MINUTE });
    const seen = Object.fromEntries(coverage.signals.map(({ name }) => [name, coverageOf(coverage, "n1", name)]));
    expect(seen).toMatchObject({
      activity: "seen",
      temperature: "seen",
      power: "seen",
      xid: "seen",
      "nvlink-bandwidth": "constant-zero",
      "nvlink-errors": "missing",
      ecc: "missing",
      "kernel-log": "missing",
      host: "missing",
    });
    const links = await world.read.fleet.links({ nodeId: "name:n1", atMs: T0 + 10 * MINUTE });
    expect(links).toMatchObject({ verdict: "unknown", links: [] });
  });

  it("E7: what has stopped is stale, and what sends only blanks is a sentinel", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [
      [UTIL, gpuLabels("n1", 0), 99],
      [TEMP, gpuLabels("n1", 0), 70],
    ]);
    await world.send(T0 + 10 * MINUTE, [
      [TEMP, gpuLabels("n1", 0), 2 ** 63],
      ["node_load1", { instance: "n1:9100", job: "node" }, 12],
    ]);
    const coverage = await world.read.fleet.coverage({ atMs: T0 + 10 * MINUTE });
    expect(coverageOf(coverage, "n1", "activity")).toBe("stale");
    expect(coverageOf(coverage, "n1", "temperature")).toBe("sentinel");
    expect(coverageOf(coverage, "n1", "host")).toBe("seen");
  });

  it("says that a kernel log is read as long as its agent sends, even without anything to tell", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [[TEMP, gpuLabels("n1", 0), 70]]);
    await world.read.ingest.events({ source: "agent@n1", seq: 1, node: { host: "n1" }, events: [] });
    expect(coverageOf(await world.read.fleet.coverage({ atMs: T0 + MINUTE }), "n1", "kernel-log")).toBe("seen");
    expect(coverageOf(await world.read.fleet.coverage({ atMs: T0 + 20 * MINUTE }), "n1", "kernel-log")).toBe("stale");
  });
});

describe("the kernel log", () => {
  const up = (host: string, kind: string, value: number): Told => [
    "trainwatch_agent_source_up",
    { nodename: host, job: "trainwatch-agent", source: kind, kind },
    value,
  ];

  it("is seen where our agent reads it, and not where it fails to", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [up("n1", "kmsg", 1), up("n2", "kmsg", 0), up("n3", "trainer", 1)]);
    const coverage = await world.read.fleet.coverage({ atMs: T0 });
    expect(["n1", "n2", "n3"].map((host) => coverageOf(coverage, host, "kernel-log"))).toEqual(["seen", "stale", "missing"]);
  });

  it("E7: an agent's own events say nothing of the kernel log, neither that its kmsg fails nor what another source of it has seen", async () => {
    await using world = await createFleetWorld();
    await world.send(T0, [up("n1", "kmsg", 0), up("n2", "infiniband", 1), up("n3", "kmsg", 0)]);
    const failed = { timeMs: T0, kind: "source-failed" as const, text: "Source kmsg (kmsg) failed 3 times in a row" };
    await world.read.ingest.events({ source: "agent:n1:a", seq: 1, node: { host: "n1" }, events: [failed] });
    const down = { timeMs: T0, kind: "link-down" as const, text: "mlx5_0 port 1 is down" };
    await world.read.ingest.events({ source: "agent:n2:b", seq: 1, node: { host: "n2" }, events: [down] });
    await world.read.ingest.events({ source: "n3/links", seq: 1, node: { host: "n3" }, events: [down] });
    const coverage = await world.read.fleet.coverage({ atMs: T0 });
    expect(["n1", "n2", "n3"].map((host) => coverageOf(coverage, host, "kernel-log"))).toEqual(["stale", "missing", "stale"]);
  });
});

describe("links", () => {
  it("E7: are fine only where errors are counted and traffic is seen", async () => {
    await using world = await createFleetWorld();
    for (const minute of [0, 5, 10]) {
      await world.send(T0 + minute * MINUTE, [
        [UTIL, gpuLabels("n1", 0), 99],
        ["DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_L5", gpuLabels("n1", 0), 20_000 + minute],
        ["DCGM_FI_DEV_NVLINK_RX_BANDWIDTH_L5", gpuLabels("n1", 0), 19_000],
        ["DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L5", gpuLabels("n1", 0), minute < 10 ? 3 : 33],
        ["DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L5", gpuLabels("n1", 0), 0],
      ]);
    }
    const calm = await world.read.fleet.links({ nodeId: "name:n1", atMs: T0 + 5 * MINUTE });
    expect(calm.verdict).toBe("ok");
    const sick = await world.read.fleet.links({ nodeId: "name:n1", atMs: T0 + 10 * MINUTE });
    expect(sick.verdict).toBe("errors");
    expect(sick.links).toEqual([
      { id: `${uuid(0)}/link/5`, gpuId: uuid(0), port: 5, txPerS: 20_010e6, rxPerS: 19_000e6, errorsPerS: 30 / 300, state: "unknown" },
    ]);
  });
});
