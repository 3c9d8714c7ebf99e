import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "./axe.ts";
import { failVerb } from "./failing-verb.ts";
import { GPUS_PER_NODE, seedFleet, type SeededFleet, type SeededNode } from "./seeded-fleet.ts";
import { fleetRun, slowdownOf } from "./seeded-fleet-run.ts";
import { openWorld, type World } from "./world.ts";

const NODES = 64;
const RUN_NODES = 48;
const HOT = { node: 21, gpu: 6 } as const;
/** Nodes that have stopped sending. */
const SILENT = 7;
const SCRAPES = 5;
const SCRAPE_MS = 60_000;
const PATIENCE_MS = 60_000;

let world: World;
let fleet: SeededFleet;
let nowMs = 0;

const hotNode = (): SeededNode => fleet.nodes[HOT.node] ?? { host: "", rack: "", machineId: "", gpus: [] };
const hotGpu = (): string => hotNode().gpus[HOT.gpu] ?? "";
const shownAt = (): string => `at=${nowMs}&from=${nowMs - 600_000}&to=${nowMs}`;
/** `:gpu`, `:node` and `:at` stand for what is known only once the fleet is there. */
const placeOf = (path: string): string => path.replace(":gpu", hotGpu()).replace(":node", hotNode().machineId).replace(":at", shownAt());

beforeAll(async () => {
  nowMs = Math.floor(Date.now() / 10_000) * 10_000;
  world = await openWorld();
  fleet = seedFleet({
    url: world.url,
    token: world.token,
    nodes: NODES,
    startMs: nowMs - 3_600_000,
    faults: [
      { kind: "hot-gpu", ...HOT, atMs: nowMs - 1_800_000, celsius: 35 },
      { kind: "sentinel", node: 30, gpu: 2, atMs: nowMs - 1_800_000, field: "DCGM_FI_DEV_MEMORY_TEMP", text: "4294967295" },
    ],
  });
  for (let back = SCRAPES - 1; back >= 0; back--) {
    const stopped = back < SCRAPES - 1;
    await fleet.send(nowMs - back * SCRAPE_MS, { silent: (node) => stopped && node >= NODES - SILENT });
  }
  await world.push(fleetRun(fleet, nowMs, RUN_NODES));
  await fleet.tell(slowdownOf(hotNode(), hotGpu(), nowMs));
});
afterAll(() => world[Symbol.asyncDispose]());

describe("what is not seen", () => {
  it("is told: nodes that have stopped, a sentinel, and coverage with the faults that nobody can see", async () => {
    await using opened = await world.open(`/fleet?${shownAt()}`);
    const { page } = opened;
    await page.getByText("57 of 64 nodes reporting").waitFor({ timeout: PATIENCE_MS });
    await page.getByText("stale, 56 GPUs").waitFor();
    await page.getByText("not a reading, 1 GPU").waitFor();
    await page.getByText(/^blind on /).waitFor({ timeout: PATIENCE_MS });
    await page.getByRole("link", { name: "All signals" }).click();
    await page.getByRole("table", { name: "What cannot be seen" }).getByText("Network ports").waitFor({ timeout: PATIENCE_MS });
  });

  it("says stale when no node sends any more", async () => {
    await using opened = await world.open("/fleet");
    await opened.page.getByText(/^Partial/).waitFor({ timeout: PATIENCE_MS });
    await opened.page.route("**/trpc/fleet.layout**", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replaceAll(/"lastSampleAtMs":\d+/g, `"lastSampleAtMs":${nowMs - 3_600_000}`) });
    });
    await opened.page.reload();
    await opened.page.getByText(/^Stale last sample .* ago/).waitFor({ timeout: PATIENCE_MS });
    await opened.page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it.each([
    ["/fleet", "fleet.metrics", "The fleet"],
    ["/fleet", "fleet.layout", "The layout of the fleet"],
    ["/fleet", "fleet.frame", "The map"],
    ["/fleet", "fleet.coverage", "Coverage"],
    ["/fleet", "fleet.incidents", "The list of accused nodes"],
    ["/fleet", "fleet.events", "What happened to the fleet"],
    ["/fleet/coverage", "fleet.coverage", "Coverage"],
    ["/fleet/fields", "fleet.catalogue", "The catalogue"],
    ["/fleet/gpu/:gpu", "fleet.gpu", "The GPU"],
    ["/fleet/node/:node", "fleet.links", "The node"],
  ])("a failed verb is told on %s with an id and a way on: %s", async (path, verb, what) => {
    await using opened = await world.open("/no-such-page");
    const { page } = opened;
    const failing = await failVerb(page, verb);
    await page.goto(`${world.url}${placeOf(path)}`);
    const alert = page.getByRole("alert").filter({ hasText: `${what} could not be read` });
    await alert.waitFor({ timeout: PATIENCE_MS });
    expect(await alert.getByText("e-7f31c2", { exact: true }).isVisible()).toBe(true);
    await failing.heal();
    await alert.getByRole("button", { name: "Try again" }).click();
    await alert.waitFor({ state: "detached", timeout: PATIENCE_MS });
  });

  it.each([
    ["/fleet", "No GPU has been seen yet"],
    ["/fleet/coverage", "No node has been seen yet"],
    ["/fleet/gpu/GPU-none", "The GPU is not there"],
    ["/fleet/node/none", "The node is not there"],
  ])("says on %s of a server that has seen nothing what there is to do", async (path, title) => {
    await using empty = await openWorld();
    await using opened = await empty.open(path);
    await opened.page.getByText(title, { exact: true }).waitFor({ timeout: PATIENCE_MS });
    expect(await opened.page.getByText(/healthy/i).count()).toBe(0);
  });
});

describe("a GPU, its node and its run", () => {
  it("shows the GPU among its node's, its history, and the steps of its run under the time", async () => {
    await using opened = await world.open(`/fleet/gpu/${hotGpu()}?${shownAt()}`);
    const { page } = opened;
    await page.getByRole("heading", { name: `${hotNode().host} GPU ${HOT.gpu}` }).waitFor({ timeout: PATIENCE_MS });
    const chart = page.getByRole("figure", { name: "Memory temperature" });
    await chart.locator("canvas").waitFor({ timeout: PATIENCE_MS });
    // All of the page is there before a place on it is measured: what comes later moves the chart.
    await page.getByText("Steps are those of llm-fleet.").waitFor();
    await page
      .getByRole("img", { name: /^step: / })
      .first()
      .waitFor();
    await page.getByText(`on ${hotNode().host}`).waitFor();
    await page.getByText("GPU temperature above its slowdown threshold").waitFor();
    const box = await chart.locator(".u-over").boundingBox();
    if (box === null) throw new Error("the chart has no place on the page");
    // A minute before the end: the readings come once a minute.
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
    await page
      .locator("[data-part=fan-tooltip]")
      .getByText(/GPU \d/)
      .waitFor();
    await page.getByRole("link", { name: "GPU 5" }).click();
    await page.waitForURL((url) => url.pathname === `/fleet/gpu/${hotNode().gpus[5]}`);
    expect(opened.console.errors()).toEqual([]);
  });

  it("E7: says of single links that they are unknown where no source tells of them, and calls none of them good", async () => {
    await using opened = await world.open(`/fleet/node/${hotNode().machineId}?${shownAt()}`);
    const { page } = opened;
    await page.getByText("no source tells of single links").waitFor({ timeout: PATIENCE_MS });
    const links = page.getByRole("complementary", { name: "Links in numbers" });
    await links.getByText("Unknown", { exact: true }).waitFor();
    expect(await links.getByText("up", { exact: true }).count()).toBe(0);
  });

  it("marks a node as cordoned with a reason, shows the mark, and takes it away again", async () => {
    await using opened = await world.open(`/fleet/node/${hotNode().machineId}`);
    const { page } = opened;
    await page.getByRole("button", { name: "Cordon node…" }).click({ timeout: PATIENCE_MS });
    const dialog = page.getByRole("dialog", { name: `Mark ${hotNode().host} as cordoned?` });
    await dialog.getByLabel("Reason, for the record").fill("one GPU runs hot");
    await dialog.getByRole("button", { name: "Cordon" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("cordoned", { exact: true }).waitFor();
    await page.goto(`${world.url}/fleet`);
    await page.getByText("cordoned, 1 node").waitFor({ timeout: PATIENCE_MS });
    await page.goto(`${world.url}/fleet/node/${hotNode().machineId}`);
    await page.getByRole("button", { name: "Uncordon node…" }).click({ timeout: PATIENCE_MS });
    await page.getByLabel("Reason, for the record").fill("mended");
    await page.getByRole("dialog").getByRole("button", { name: "Uncordon" }).click();
    await page.getByRole("button", { name: "Cordon node…" }).waitFor();
  });

  it("draws the run's GPUs under its loss on the step axis, and says what they are made of", async () => {
    await using opened = await world.open("/runs/1?fleet=%5B%22DCGM_FI_DEV_MEMORY_TEMP_CELSIUS%22%5D");
    const { page } = opened;
    await page.getByRole("region", { name: "Memory temperature" }).waitFor({ timeout: PATIENCE_MS });
    await page.getByText(new RegExp(`lowest to highest of ${RUN_NODES * GPUS_PER_NODE} GPUs at \\d+ moments`)).waitFor();
    await page.getByRole("radio", { name: "Time" }).click();
    await page.waitForURL((url) => url.searchParams.get("axis") === "time");
    await page.getByRole("region", { name: "Memory temperature" }).waitFor({ timeout: PATIENCE_MS });
    expect(opened.console.errors()).toEqual([]);
  });
});

describe.each([
  ["dark", 1_440],
  ["light", 1_440],
  ["dark", 390],
] as const)("in the %s theme at %i px", (colorScheme, width) => {
  it.each([
    ["the map", "/fleet?:at&gpu=:gpu"],
    ["the table", "/fleet?:at&table=true"],
    ["a GPU", "/fleet/gpu/:gpu?:at"],
    ["a node", "/fleet/node/:node?:at"],
    ["coverage", "/fleet/coverage"],
    ["the fields", "/fleet/fields"],
  ] as const)("axe finds nothing serious on %s and the console stays silent", async (_, path) => {
    await using opened = await world.open(placeOf(path), { colorScheme, viewport: { width, height: 900 } });
    const { page } = opened;
    await page.getByRole("contentinfo", { name: "System status" }).getByText("Live", { exact: true }).waitFor({ timeout: PATIENCE_MS });
    await expect.poll(() => page.getByRole("status", { name: /^Loading/ }).count(), { timeout: PATIENCE_MS }).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    expect(opened.console.errors()).toEqual([]);
  });
});
