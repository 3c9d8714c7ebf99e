import { describe, expect, it } from "vitest";
import { createFleetWorld, gpuLabels, T0, uuid, type FleetWorld, type Told } from "./fleet-world.fixture.ts";

const TEMP = "DCGM_FI_DEV_GPU_TEMP";
const NODES = 8;
const GPUS = 8;

/** 8 nodes of 8 GPUs in two racks; `of` adds labels to a GPU and says its temperature. */
async function seed(
  world: FleetWorld,
  of: (node: number, gpu: number) => { readonly labels?: Record<string, string>; readonly celsius?: number },
) {
  const told = Array.from({ length: NODES * GPUS }, (_, number): Told => {
    const [node, gpu] = [Math.floor(number / GPUS), number % GPUS];
    const { labels = {}, celsius = 52 } = of(node, gpu);
    const rack = node < NODES / 2 ? "A01" : "A02";
    return [TEMP, { ...gpuLabels(`n${node}`, gpu, uuid(number)), rack, ...labels }, celsius];
  });
  await world.send(T0, told);
}

describe("what differs about chosen GPUs", () => {
  it("names the VBIOS that they share before what they have by chance, with counts of both sides", async () => {
    await using world = await createFleetWorld();
    const isOld = (node: number, gpu: number): boolean => gpu === node;
    await seed(world, (node, gpu) => ({ labels: { DCGM_FI_DEV_VBIOS_VERSION: isOld(node, gpu) ? "96.00.74" : "96.00.89" } }));
    const gpuIds = Array.from({ length: NODES }, (_, node) => uuid(node * GPUS + node));
    const answer = await world.read.fleet.differs({ gpuIds, atMs: T0 });
    expect(answer).toMatchObject({ chosen: 8, others: 56, missing: [] });
    expect(answer.items[0]).toMatchObject({
      title: "VBIOS",
      value: "96.00.74",
      counts: "gpu",
      hits: 8,
      of: 8,
      otherHits: 0,
      otherOf: 56,
      clear: true,
    });
    expect(answer.items.slice(1).every(({ clear }) => !clear)).toBe(true);
    expect(answer.untold).toContain("Driver");
  });

  it("counts nodes, not GPUs, for what is true of a node: eight GPUs of one host prove nothing about its rack", async () => {
    await using world = await createFleetWorld();
    await seed(world, () => ({}));
    const gpuIds = Array.from({ length: GPUS }, (_, gpu) => uuid(gpu));
    const { items } = await world.read.fleet.differs({ gpuIds, atMs: T0 });
    expect(items[0]).toMatchObject({ title: "Host", value: "n0", hits: 8, clear: true });
    expect(items.find(({ title }) => title === "Rack")).toMatchObject({
      counts: "node",
      hits: 1,
      of: 1,
      otherHits: 3,
      otherOf: 7,
      clear: false,
    });
  });

  it("compares temperatures in bands, says which attributes cannot be told apart, and holds eight nodes for too few to be sure", async () => {
    await using world = await createFleetWorld();
    await seed(world, (node) =>
      node < 4 ? { celsius: 71, labels: { DCGM_FI_DRIVER_VERSION: "570" } } : { labels: { DCGM_FI_DRIVER_VERSION: "550" } },
    );
    const gpuIds = Array.from({ length: 4 * GPUS }, (_, number) => uuid(number));
    const { items } = await world.read.fleet.differs({ gpuIds, atMs: T0 });
    expect(items[0]).toMatchObject({ title: "GPU temperature", value: "70 to 75 °C", hits: 32, otherHits: 0 });
    expect(items.find(({ counts }) => counts === "node")).toMatchObject({ hits: 4, of: 4, otherHits: 0, otherOf: 4, clear: false });
    const node = items.filter(({ counts }) => counts === "node");
    expect(node).toHaveLength(1);
    expect([node[0]?.title, ...(node[0]?.sameAs ?? []).map(({ title }) => title)].toSorted()).toEqual(["Driver", "Rack"]);
  });

  it("says so when none of them was there, and which of them were not", async () => {
    await using world = await createFleetWorld();
    await seed(world, () => ({}));
    await expect(world.read.fleet.differs({ gpuIds: ["GPU-unknown"], atMs: T0 })).rejects.toThrow("None of these GPUs");
    expect((await world.read.fleet.differs({ gpuIds: [uuid(0), "GPU-unknown"], atMs: T0 })).missing).toEqual(["GPU-unknown"]);
  });

  it("compares within a run only where that is asked for", async () => {
    await using world = await createFleetWorld();
    await seed(world, () => ({}));
    await expect(world.read.fleet.differs({ gpuIds: [uuid(0)], runId: 77, atMs: T0 })).resolves.toMatchObject({
      chosen: 1,
      others: 0,
      items: [],
    });
  });
});
