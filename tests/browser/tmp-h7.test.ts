import { afterAll, beforeAll, expect, it, describe } from "vitest";
import { seriousFaults } from "./axe.ts";
import { pagesUnderTest } from "./pages-under-test.ts";
import { seedFleet } from "./seeded-fleet.ts";
import { fleetRun } from "./seeded-fleet-run.ts";
import { corruptingGpu, fallenGpu, seedIncident } from "./seeded-incident.ts";
import { openWorld, type World } from "./world.ts";
let world: World;
beforeAll(async () => {
  world = await openWorld();
  const nowMs = Date.now();
  const fleet = seedFleet({ url: world.url, token: world.token, nodes: 50, startMs: nowMs - 3_600_000 });
  for (let back = 5; back >= 0; back--) await fleet.send(nowMs - back * 60_000);
  await world.push(fleetRun(fleet, nowMs, 50));
  const [bad] = fleet.nodes;
  if (bad === undefined) throw new Error("x");
  await seedIncident(
    world.databaseUrl,
    1,
    corruptingGpu({ node: bad, gpu: 5, rank: 5, onsetStep: 46_600, onsetMs: nowMs - 600_000 }),
    nowMs,
  );
  await seedIncident(world.databaseUrl, null, fallenGpu(fleet.nodes.slice(3), nowMs - 300_000), nowMs);
  await world.call("rules.create", {
    kind: "metric",
    title: "x",
    metric: "loss",
    condition: "above",
    value: 5,
    severity: "warning",
    scope: {},
  });
  await world.call("mutes.create", { name: "n", zone: "Europe/Berlin", weekdays: [1, 2], from: "22:00", to: "06:00", scope: {} });
  await world.call("channels.create", { name: "c", kind: "slack", url: "http://127.0.0.1:9/x", scope: {} });
});
afterAll(() => world[Symbol.asyncDispose]());
const wanted = [
  ...pagesUnderTest(1, 1),
  { name: "burst", path: "/incidents/2" },
  { name: "new mute", path: "/settings?tab=mutes&edit=new" },
  { name: "new channel", path: "/settings?tab=channels&edit=new" },
  { name: "rule", path: "/settings?tab=rules&edit=new%3Aloss-shift" },
];
describe.each([
  ["light", 1440],
  ["dark", 390],
  ["light", 390],
  ["dark", 1440],
] as const)("%s %i", (colorScheme, width) => {
  it.each(wanted)("$name", async ({ path, name }) => {
    await using opened = await world.open(path, { colorScheme, viewport: { width, height: 900 } });
    const { page } = opened;
    await page.getByRole("contentinfo", { name: "System status" }).getByText("Live", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("status", { name: /^Loading/ }).count(), { timeout: 20_000 }).toBe(0);
    if (width === 390 && colorScheme === "dark") await page.screenshot({ path: `/tmp/h7/phone-${name.replaceAll(/\W+/g, "-")}.png` });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
    expect(opened.console.errors()).toEqual([]);
  });
});
