import { it } from "vitest";
import { createFleetWorld, gpuLabels, T0, type Told, uuid } from "/work/main/packages/api/src/fleet/fleet-world.fixture.ts";
it("scale", async () => {
  await using world = await createFleetWorld();
  const NODES = Number(process.env.NODES ?? 1024);
  const metrics = ["DCGM_FI_DEV_GPU_TEMP","DCGM_FI_DEV_GPU_UTIL","DCGM_FI_DEV_POWER_USAGE","DCGM_FI_DEV_XID_ERRORS","DCGM_FI_DEV_SM_CLOCK","DCGM_FI_DEV_FB_USED","DCGM_FI_PROF_NVLINK_TX_BYTES","DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL","DCGM_FI_DEV_PCIE_REPLAY_COUNTER","DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"];
  const t = async (name: string, act: () => Promise<unknown>) => { const s = performance.now(); const r = await act(); console.log(name, Math.round(performance.now() - s), "ms"); return r; };
  for (let round = 0; round < 3; round++) await t("send " + round, async () => {
    for (let from = 0; from < NODES; from += 64) {
      const told: Told[] = [];
      for (let n = from; n < Math.min(NODES, from + 64); n++) for (const m of metrics) for (let g = 0; g < 8; g++) told.push([m, gpuLabels("n" + n, g, uuid(n * 8 + g)), 50 + (n * 7 + g * 3 + round) % 30]);
      for (let at = 0; at < told.length; at += 4000) await world.send(T0 + round * 10_000, told.slice(at, at + 4000));
    }
  });
  world.bench.clock.set(T0 + 20_000);
  const r = world.read.fleet;
  for (let i = 0; i < 3; i++) await t("layout", () => r.layout({}));
  for (let i = 0; i < 3; i++) await t("frame temp", () => r.frame({ metric: "DCGM_FI_DEV_GPU_TEMP" }));
  await t("frame power", () => r.frame({ metric: "DCGM_FI_DEV_POWER_USAGE" }));
  await t("frame counter", () => r.frame({ metric: "DCGM_FI_DEV_PCIE_REPLAY_COUNTER" }));
  await t("frames 60", () => r.frames({ metric: "DCGM_FI_DEV_GPU_TEMP", fromMs: T0, toMs: T0 + 20_000, count: 60 }));
  for (let i = 0; i < 2; i++) await t("coverage", () => r.coverage({}));
  for (let i = 0; i < 3; i++) await t("gpu", () => r.gpu({ gpuId: uuid(77) }));
  for (let i = 0; i < 2; i++) await t("links", () => r.links({ nodeId: "name:n7" }));
  for (let i = 0; i < 2; i++) await t("window node", () => r.window({ metric: "DCGM_FI_DEV_GPU_TEMP", fromMs: T0, toMs: T0 + 20_000, buckets: 100, nodeId: "name:n7" }));
  await t("metrics", () => r.metrics());
  for (let i = 0; i < 2; i++) await t("status", () => world.read.status.get());
  console.log(JSON.stringify((await world.read.status.get()).fleet));
  console.log(Math.round(process.memoryUsage().rss / 1e6), "MB");
}, 600_000);
